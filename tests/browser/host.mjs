// Replaces a widget's model. `window.python` receives the messages of a page, with the index of their model.
export class HostModel {
  state;
  #listeners = new Map();
  sent = [];
  answered = 0;

  constructor(state, index = 0) {
    this.state = state;
    this.index = index;
  }

  get(name) {
    return this.state[name];
  }

  on(event, call) {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(call));
  }

  off(event, call) {
    this.#listeners.get(event)?.delete(call);
  }

  listeners(event) {
    return this.#listeners.get(event)?.size ?? 0;
  }

  emit(event, content) {
    for (const call of this.#listeners.get(event) ?? []) call(content);
  }

  setState(state) {
    this.state = { ...this.state, _state: state };
    this.emit("change:_state", state);
  }

  async send(message) {
    this.sent.push(structuredClone(message));
    const { state, answer } = await window.python(message, this.index);
    await window.held;
    this.setState(state);
    this.emit("msg:custom", answer);
    this.answered++;
  }
}
