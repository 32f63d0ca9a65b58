/**
 * What a session and its page say to each other, and the types of the page's own parts. No page loads this file.
 *
 * The page sends one message at a time, and the next when the one before was answered. Each carries what was changed
 * in the page and not answered yet, and its number in this view of the panel. Python sets what it carries, does what
 * it says, publishes the state, and answers, also when it failed. So no answer is older than a text it overwrites.
 */
export interface Message {
  do: "set" | "roll" | "undo" | "clear" | "recall" | "next-seed" | "odds-of" | "history" | "press";
  view: string;
  n: number;
  texts: Record<string, string>;
  parts: Record<string, Part>;
  label?: string;
  seed?: string;
  lock?: boolean;
  /** With `recall`: the number of a roll. */
  roll?: number;
  /** With `odds-of`. */
  fact?: string;
  /** With `press`, in a game's own panel: the place of a die, from 1, or the id of a play. */
  die?: number;
  play?: string;
}

/** What answers a message, once the state it led to was published. */
export interface Answer {
  for: Record<string, number>;
  /** The newest first; left out when it is as it was. */
  history?: Rolled[];
  failed?: string;
}

/** How a field is written; its kind in Python decides (dicedocs/form.py). */
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

/** What is fixed for a mechanic. */
export interface Form {
  id: string;
  title: string;
  help: string;
  facts: { name: string; label: string; help: string }[];
  fields: Field[];
  /** Drawings of dice by their sides, "" for any other, and the strokes of what became of them. */
  shapes: Record<string, string>;
}

/** A value in its parts, so that the page need not read text: dice, places; faces; resources, rows. */
export type Part = number[] | string[] | Record<string, string>[];

export interface Mistake {
  /** In words; where a notation goes wrong, further lines show the place. */
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
  /** The place of the bar of the result, or -1. */
  here: number;
  where: string;
  /** Whether they are the odds of what stood in the boxes before. */
  stale: boolean;
}

export type Die = [sides: number, face: number | string, state?: string, count?: number];

export interface Rolled {
  roll: number;
  label: string;
  seed: string;
  headline: string;
}

/** What a game's own panel lays on the table. */
export interface Table {
  note: string;
  dice: { sides: number; face: number | string; state: string; pressed: string }[];
  /** `of` is the most that it can be, where that is known. */
  gauges: { label: string; value: number; of: number | null }[];
  plays: { id: string; label: string; can: boolean; why: string; main?: boolean }[];
}

/** Everything that changes. */
export interface State {
  texts: Record<string, string>;
  parts: Record<string, Part>;
  errors: Record<string, Mistake>;
  seed_error: Mistake | null;
  error: Mistake | null;
  outcome: (Rolled & { html: string; sentence: string; dice: Die[]; more: number }) | null;
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

/** A Jupyter widget's model, or what stands in for one. */
export interface Model {
  get(name: "_form"): Form;
  get(name: "_state"): State;
  on(event: string, call: (content: any) => void): void;
  off(event: string, call: (content: any) => void): void;
  send(content: Message): void;
}

/** The model that holds the module: it knows whether its kernel lives. */
export interface Front {
  comm_live?: boolean;
  /** Whether there never was one: a page shows what a notebook saved. */
  saved?: boolean;
  on(event: string, call: () => void): void;
  off(event: string, call: () => void): void;
}

/**
 * Shows a panel in an element and gives what takes it away.
 *
 * `css` are the styles, which a page that links them leaves out, and `hash` what they are known by, so that they
 * stand in a page once. `form` is given where forms are shared; else the model has it.
 */
export type Render = (context: { model: Model; el: HTMLElement }, css?: string, hash?: string, front?: Front, form?: Form) => () => void;

// The parts of the page

export type Made = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  given?: object,
  ...children: (Node | string)[]
) => HTMLElementTagNameMap[K];

export type Press = (text: string, press: () => void, given?: object) => HTMLButtonElement;

/** A drawing of a die, with a word below it that its drawing does not tell. */
export type Sized = (die: Die, word?: string) => HTMLElement;

/** A control: its node, how it shows what stands in it, and the box that a label names where it is a single one. */
export interface Box<T = any> {
  node: HTMLElement;
  show(value: T, state: State): void;
  input?: any;
}

/** Tells what now stands in a control: its text, or its part. */
export type Change = (value: any) => void;

/** Makes the control of a kind of field. */
export type Draw = (
  field: { label: string; default?: string; control: Partial<Control> },
  id: string,
  change: Change,
) => Box;

export type Tray = (
  press: (at: number) => void,
  about: (item: any, at: number) => [die: Die, name: string, pressed?: boolean, word?: string, idle?: boolean],
) => { node: HTMLElement; show(items: any[]): void };

export type Several = (parent: HTMLElement, make: (at: number) => Box) => (items: any[], state?: any) => void;

export type Edited = (
  node: HTMLElement,
  change: Change,
  make: (at: number, tell: Change, drop: () => void) => Box,
) => { add(item: any): void; less(): void; show(items: any[], state: State): void };

/** A control with its name, and what else stands beside it. */
export type Fielded = (field: Field, id: string, change: Change, ...more: Node[]) => Box;

export type Complaint = (id: string) => {
  nodes: Node[];
  show(mistake?: Mistake | null): void;
  speak(again?: boolean): void;
};

export type Charted = (
  id: string,
  choose: (fact: string) => void,
  facts: Form["facts"],
) => { node: HTMLElement; show(odds: Odds | null): void };

export type Taken = (id: string, label: string) => { node: HTMLElement; show(text: string): void };

export type Laid = (press: (what: object) => void) => { node: HTMLElement; show(state: State): void };

export type Told = () => {
  nodes: Node[];
  /** Lets the dice turn, soon, or lie still. */
  tumble(on: boolean): void;
  show(outcome: State["outcome"]): void;
};

export type Remembered = (recall: (roll: number) => void) => { node: HTMLElement; show(rolls: Rolled[]): void };

/** A change that is not answered yet: where it goes in a message, and which message took it along. */
export interface Changed {
  place: string;
  name: string;
  value: any;
  sent: number;
}

/** Who speaks is told when a message is on its way, when that takes long, and when it was answered. */
export type Talking = (
  model: Model,
  view: string,
  told: { dead(): boolean; waits(judged: boolean, long: boolean): void; lands(judged: boolean, failed: string): void },
) => {
  holds(key: string): boolean;
  change(key: string, place: string, name: string, value: any): void;
  ask(what: Message["do"], more?: object): void;
  answered(answer: Answer): void;
};
