/**
 * The protocol between a session and its page, and the types of the page's own functions. No page loads this file.
 *
 * The page sends one message at a time, and the next one after the answer. A message carries all changes of the page
 * that are not answered yet, and its number in this view of the panel. Python sets what it carries, carries out its
 * action, publishes the state, and answers, even if it failed. So an answer never overwrites a newer text.
 */
export interface Message {
  do: "set" | "roll" | "undo" | "clear" | "recall" | "next-seed" | "odds-of" | "history" | "press";
  view: string;
  n: number;
  texts: Record<string, string>;
  parts: Record<string, Parts>;
  label?: string;
  seed?: string;
  lock?: boolean;
  /** With `recall`: the number of a roll. */
  roll?: number;
  /** With `odds-of`. */
  fact?: string;
  /** With `press`, in a game's own panel: the number of a die, from 1, or the id of a play. */
  die?: number;
  play?: string;
}

/** The answer to a message, sent after the state that results from it. */
export interface Answer {
  for: Record<string, number>;
  /** Newest first; omitted if it has not changed. */
  history?: Roll[];
  failed?: string;
}

/** The control of a field, which depends on its kind in Python (dicedocs/panel/controls.py). */
export interface Control {
  kind: "whole" | "truth" | "choice" | "text" | "notation" | "list" | "resources" | "dice" | "faces" | "places" | "rows";
  low?: number | null;
  high?: number | null;
  optional?: boolean;
  choices?: string[];
  of?: string;
  columns?: Field[];
}

export interface Field {
  name: string;
  label: string;
  help: string;
  required: boolean;
  default: string;
  control: Control;
}

/** What never changes for a mechanic. */
export interface Form {
  id: string;
  title: string;
  help: string;
  facts: { name: string; label: string; help: string }[];
  fields: Field[];
  /** Drawings of dice by their sides, "" for any other number, and the strokes for the states of a die. */
  shapes: Record<string, string>;
}

/** A value as parts, so that the page parses no text: numbers of dice or their sides; faces; rows. */
export type Parts = number[] | string[] | Record<string, string>[];

export interface FieldError {
  /** The message; for a notation, further lines show where it goes wrong. */
  text: string;
}

export interface Odds {
  fact: string;
  label: string;
  state: "counting" | "done" | "refused" | "estimated";
  progress: number;
  message: string;
  mean: string;
  bars: [text: string, p: number, percent: string][];
  /** The index of the bar of the result, or -1. */
  here: number;
  where: string;
  /** Whether they are the odds of the last valid values. */
  stale: boolean;
}

export type Die = [sides: number, face: number | string, state?: string, count?: number];

export interface Roll {
  roll: number;
  label: string;
  seed: string;
  headline: string;
}

/** The state of a game's own panel. */
export interface Table {
  note: string;
  dice: { sides: number; face: number | string; state: string; pressed: string }[];
  /** `of` is the maximum, if there is one. */
  gauges: { label: string; value: number; of: number | null }[];
  plays: { id: string; label: string; can: boolean; why: string; main?: boolean }[];
}

/** All that changes, except the history. */
export interface State {
  texts: Record<string, string>;
  parts: Record<string, Parts>;
  errors: Record<string, FieldError>;
  seed_error: FieldError | null;
  error: FieldError | null;
  outcome: (Roll & { html: string; sentence: string; dice: Die[]; more: number }) | null;
  odds: Odds | null;
  seed: string;
  lock: boolean;
  label: string;
  can: { undo: boolean; clear: boolean; roll: boolean };
  code: string;
  directive: string;
  directive_rst: string;
  rolls: number;
  table?: Table;
}

/** The model of a Jupyter widget, or a substitute. */
export interface Model {
  get(name: "_form"): Form;
  get(name: "_state"): State;
  on(event: string, call: (content: any) => void): void;
  off(event: string, call: (content: any) => void): void;
  send(content: Message): void;
}

/** The model that all panels share. */
export interface Frontend {
  /** Whether its kernel is running. */
  comm_live?: boolean;
  /** Whether this is a page of a saved notebook, without a kernel. */
  saved?: boolean;
  on(event: string, call: () => void): void;
  off(event: string, call: () => void): void;
}

/**
 * Shows a panel in an element, and returns a function that removes it.
 *
 * `css` are the styles, omitted by a page that links them, and `hash` the id under which they are added to the page
 * once. `form` is given where forms are shared; else it is in the model.
 */
export type Render = (context: { model: Model; el: HTMLElement }, css?: string, hash?: string, front?: Frontend, form?: Form) => () => void;

// The functions of the page

export type CreateElement = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties?: object,
  ...children: (Node | string)[]
) => HTMLElementTagNameMap[K];

export type CreateButton = (text: string, press: () => void, properties?: object) => HTMLButtonElement;

/** The caption is for what the drawing does not show. */
export type DrawDie = (die: Die, caption?: string) => HTMLElement;

/** A control: its node, a function that shows a value, and, for a single box, the element that a label refers to. */
export interface ControlView<T = any> {
  node: HTMLElement;
  show(value: T, state: State): void;
  input?: any;
}

/** Called with the new text or parts of a control. */
export type Change = (value: any) => void;

export type CreateControl = (
  field: { label: string; default?: string; control: Partial<Control> },
  id: string,
  change: Change,
) => ControlView;

export type DiceButtons = (
  press: (index: number) => void,
  describe: (item: any, index: number) => [die: Die, name: string, pressed?: boolean, caption?: string, disabled?: boolean],
) => { node: HTMLElement; show(items: any[]): void };

export type SyncList = (parent: HTMLElement, create: (index: number) => ControlView) => (items: any[], state?: any) => void;

export type EditableList = (
  node: HTMLElement,
  change: Change,
  create: (index: number, changeItem: Change, removeItem: () => void) => ControlView,
) => { add(item: any): void; removeLast(): void; show(items: any[], state: State): void };

/** A control with its label, and what else belongs to the field. */
export type LabelledControl = (field: Field, id: string, change: Change, ...more: Node[]) => ControlView;

export type ErrorMessage = (id: string) => {
  nodes: Node[];
  show(error?: FieldError | null): void;
  speak(again?: boolean): void;
};

export type OddsChart = (
  id: string,
  choose: (fact: string) => void,
  facts: Form["facts"],
) => { node: HTMLElement; show(odds: Odds | null): void };

export type CopyBox = (id: string, label: string) => { node: HTMLElement; show(text: string): void };

export type GameTable = (press: (target: object) => void) => { node: HTMLElement; show(state: State): void };

export type LastRoll = () => {
  nodes: Node[];
  /** Starts the animation of the dice, after a delay, or stops it. */
  tumble(on: boolean): void;
  show(outcome: State["outcome"]): void;
};

export type HistoryList = (recall: (roll: number) => void) => { node: HTMLElement; show(rolls: Roll[]): void };

/** A change that is not answered yet: its section of a message, and the number of the message that carried it. */
export interface PendingChange {
  section: string;
  name: string;
  value: any;
  sent: number;
}

/** The callbacks are called when a message is sent, when its answer takes long, and when it is answered. */
export type Messenger = (
  model: Model,
  view: string,
  callbacks: { dead(): boolean; sending(rolling: boolean, long: boolean): void; answering(rolling: boolean, failed: string): void },
) => {
  isChanged(key: string): boolean;
  change(key: string, section: string, name: string, value: any): void;
  ask(action: Message["do"], more?: object): void;
  receive(answer: Answer): void;
};
