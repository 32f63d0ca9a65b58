// Stands in for a notebook: a model with what a widget's model has, and `window.python` where Python is, which is
// told the model's place among those in the page.
export class HostModel {
  state;
  #calls = new Map();
  sent = [];

  constructor(state, at = 0) {
    this.state = state;
    this.at = at;
  }

  get(name) {
    return this.state[name];
  }

  on(event, call) {
    this.#calls.set(event, (this.#calls.get(event) ?? new Set()).add(call));
  }

  off(event, call) {
    this.#calls.get(event)?.delete(call);
  }

  heard_by(event) {
    return this.#calls.get(event)?.size ?? 0;
  }

  emit(event, content) {
    for (const call of this.#calls.get(event) ?? []) call(content);
  }

  tell(state) {
    this.state = { ...this.state, _state: state };
    this.emit("change:_state", state);
  }

  async send(message) {
    this.sent.push(structuredClone(message));
    const { state, answer } = await window.python(message, this.at);
    await window.held;
    this.tell(state);
    this.emit("msg:custom", answer);
  }
}
