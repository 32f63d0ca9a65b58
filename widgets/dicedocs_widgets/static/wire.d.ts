/**
 * The protocol between a session and its page, and the types of the page's own functions. No page loads this file.
 *
 * The page sends one message at a time, and the next one after the answer. A message carries all changes of the page
 * that are not answered yet, and its number in this view of the panel. Python sets what it carries, carries out its
 * action, publishes the state, and answers, even if it failed. So an answer never overwrites a newer text.
 */
export interface Message {
  /** The action; what is none is refused by whoever is to carry it out. */
  do: "set" | "history" | "log" | "undo" | "redo" | "recall" | "apply" | "take-back" | "roll" | "answer" | "clear" | "next-seed" | "pin-roll" | "character" | "roll-each" | "replay" | "odds-of" | "odds-show" | "pin" | "unpin" | "csv" | "picture" | "press" | "restart" | "add" | "mode" | "resource" | "empty" | "keep" | "favourite" | "forget" | "note" | "strike" | "next-turn" | "add-turn" | "remove-turn" | "move-turn" | "correct";
  /** The view of the panel that sent it. */
  view: string;
  /** Its number in that view. */
  n: number;
  /** The changed texts by field. */
  texts: Record<string, string>;
  /** The changed parts by field. */
  parts: Record<string, Parts>;
  /** The label of the rolls, if it was changed. */
  label?: string;
  /** The seed of the next roll, if it was changed. */
  seed?: string;
  /** Whether each roll reuses the seed of the one before, if that was changed. */
  lock?: boolean;
  /** Those of dice that were thrown by hand, for the next roll, if they were changed; with `correct` those that the roll should have. */
  faces?: string;
  /** With `recall`, `replay`, `pin-roll`, `note`, `strike`, `correct` and `take-back` its number; with `apply` too, or 0 for all. */
  roll?: number;
  /** With `odds-of` the name of a fact. */
  fact?: string;
  /** With `press`, in a game's own panel, the number of a die, from 1; with `add` the sides of the dice. */
  die?: number;
  /** With `press` instead the id of a play. */
  play?: string;
  /** With `roll-each` `order` for the order of turns, `target` for one attack on several; with `add-turn`, `remove-turn` and `move-turn` whose turn it is; with `odds-show`, `mode` and `resource` what is chosen; with `character` its slot; with `correct` the target. */
  name?: string;
  /** With `answer`, `unpin`, `character`, `resource` (of its character), `favourite` and `forget` an index, or -1 for none. */
  item?: number;
  /** With `add` how many dice of so many sides; without sides, how much is added to the modifier; with `move-turn` by how many places. */
  dice?: number;
  /** With `add-turn` the number that decides its place; empty for none. */
  number?: string;
  /** The time on the clock of the page, `2026-11-22T21:04:07`; empty if it is not written like this. */
  time?: string;
  /** With `log` text, csv, markdown or examples; at a table also scene. */
  format?: string;
  /** With `note` what is written about a roll. */
  note?: string;
  /** With `roll-each` the indexes of the characters. */
  items?: number[];
}

/** The answer to a message, sent after the state that results from it. */
export interface Answer {
  for: Record<string, number>;
  /** Pinned ones first, then newest first; omitted if it has not changed. */
  history?: LogRow[];
  /** That earlier rolls are not in it, in words. */
  left_out?: string;
  /** The log in the format that was asked for. */
  log?: string;
  failed?: string;
  /** A file to save, as asked for by `csv` or `picture`: the odds as CSV, or their chart as SVG. */
  file?: { name: string; text: string };
}

/** The control of a field, which depends on its kind in Python (dicedocs/rules/kinds.py). */
export interface Control {
  kind: "whole" | "truth" | "choice" | "text" | "notation" | "list" | "resources" | "dice" | "faces" | "places" | "rows";
  low?: number | null;
  high?: number | null;
  optional?: boolean;
  choices?: string[];
  /** What is displayed for the choices, if it is something else. */
  names?: string[];
  /** With `places`: the field with the faces of the dice. */
  of?: string;
  /** With `faces` and `places`: the number of sides of the dice. */
  sides?: number;
  columns?: Field[];
  /** Pieces to insert into a notation: text, meaning, and the pattern of what it replaces. */
  snippets?: [string, string, string][];
  /** How a notation names what is in other fields, such as [{name}]. */
  references?: Record<string, string>;
}

export interface Field {
  name: string;
  label: string;
  help: string;
  required: boolean;
  default: string;
  control: Control;
  /** In a game's own panel, the id of the play that Enter makes in this field; empty for none. */
  play?: string;
  /** Whether it is rarely changed. */
  advanced?: boolean;
}

/** What never changes for a mechanic. */
export interface Form {
  id: string;
  title: string;
  help: string;
  /** The facts whose odds are counted, each with what is displayed for it. */
  facts: Record<string, string>;
  fields: Field[];
  /** What a bar of the odds may be, each with what is displayed for it. */
  shows: Record<string, string>;
  /** Drawings of dice by their sides, "" for any other number, and the strokes for the states of a die. */
  shapes: Record<string, string>;
  /** As HTML has it, "pt-BR". */
  language: string;
  /** The formats in which the log can be copied. */
  formats: { name: string; label: string }[];
  /** The texts of the page in that language (dicedocs/panel/view/panel_texts.py). */
  texts: Record<string, string>;
  /** In a dice tray: the sides of its dice, and the ways in which it throws its d20, with what is displayed for them. */
  tray?: { dice: number[]; modes: { name: string; label: string }[] };
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
  deviation: string;
  /** What a bar is: the probability of its value, or of this and all higher or lower ones, if there are any. */
  show: string;
  numeric: boolean;
  bars: [text: string, p: number, percent: string][];
  /** What the bars from one index to another mean, and the percentage of them together. */
  bands: [name: string, start: number, stop: number, percent: string][];
  /** The index of the bar of the result, or -1. */
  here: number;
  where: string;
  /** Whether they are the odds of the last valid values. */
  stale: boolean;
  /** The facts that can be chosen now. */
  choices: string[];
}

/** The odds of several settings side by side. */
export interface Comparison {
  /** `pin` is the index among those pinned, or -1. */
  series: { label: string; mean: string; deviation: string; pin: number }[];
  bars: [text: string, probabilities: number[], percents: string[]][];
  here: number;
  show: Odds["show"];
  note: string;
}

/** What a dice tray shows: the number of each die, and what can be rolled at once. */
export interface Tray {
  counts: number[];
  modifier: number;
  /** How the only d20 is thrown; null if there is not exactly one. */
  mode: string | null;
  /** By the names of the characters; the items are counted through all groups. */
  favourites: { name: string; rolls: [label: string, notation: string, kept: boolean][]; resources: [name: string, number: number, used: boolean][] }[];
}

export type Die = [sides: number, face: number | string, state?: string, count?: number];

export type Scale = [subject: string, number: number, position: number, end: number, bands: [label: string, numbers: string, width: number][], name: string];

/** A roll in the log; of a saved one what is empty is omitted. */
export interface LogRow {
  roll: number;
  /** Empty if the dice were thrown by hand. */
  seed?: string;
  verdict: string;
  time?: string;
  /** Who made it, and to whom it was done. */
  who?: string;
  label?: string;
  /** At a table: what was played, and the values of its parameters. */
  what?: string;
  values?: string;
  action?: string;
  formula?: string;
  faces?: string;
  tone?: string;
  note?: string;
  struck?: boolean;
  /** What it changed of characters. */
  effect?: string;
  /** Why it could not change them. */
  refused?: string;
  /** What was changed by hand before the first roll, and after this one. */
  before?: string;
  after?: string;
  /** What it would change of them now, if that waits. */
  waits?: string;
  pinned?: boolean;
}

/** What an outcome comes to: `success`, `partial`, `failure` or empty; in words; and its number. */
export type Verdict = [tone: string, text: string, number: string];

/** The state of a game's own panel. */
export interface GameState {
  note: string;
  dice: { sides: number; face: number | string; state: string; pressed: string }[];
  /** `of` is the maximum, if there is one. */
  gauges: { label: string; value: number; of: number | null }[];
  plays: { id: string; label: string; can: boolean; why: string; main?: boolean }[];
  /** What the present choices would lead to. */
  preview?: string[];
}

/** All that changes, except the history. */
export interface State {
  texts: Record<string, string>;
  parts: Record<string, Parts>;
  errors: Record<string, FieldError>;
  seed_error: FieldError | null;
  faces: string;
  faces_error: FieldError | null;
  error: FieldError | null;
  outcome: { roll: number; label: string; seed: string; headline: string; faces: string; verdict: Verdict; html: string; sentence: string; dice: Die[]; more: number; pools?: [label: string, dice: Die[], more: number][]; scale: Scale | null } | null;
  odds: Odds | null;
  seed: string;
  lock: boolean;
  label: string;
  can: { undo: boolean; redo: boolean; clear: boolean; roll: boolean };
  /** The roll of the history that was chosen to be shown, or 0. */
  selected: number;
  /** Why the roll that was just tried was not made; empty if it was. */
  failed: string;
  /** What is set of what is folded away. */
  set: string[];
  code: string;
  directive: string;
  directive_rst: string;
  rolls: number;
  /** What is saved of the log. */
  log: LogRow[];
  /** What is displayed for the states of dice that have another name in the language. */
  words: Record<string, string>;
  game?: GameState;
  comparison?: Comparison;
  characters?: SlotChoice[];
  tray?: Tray;
  /** Whether the panel is at a table. */
  seated?: boolean;
  /** Whether a file keeps the rolls. */
  kept?: boolean;
  /** What the last roll does to characters, and whether that can be applied. */
  then?: { text: string; can: boolean };
  /** At a table: the titles of its panels, the note on the roll that is shown, and whether it was struck out. */
  seats?: string[];
  /** The turns, each a name, a number and whether it is theirs now. */
  order?: { round: number; turns: [name: string, number: string, now: boolean][] };
  /** The characters, each with the names and numbers of its values. */
  people?: [name: string, values: [name: string, number: number][]][];
  note?: string;
  struck?: boolean;
  /** The index of the panel that made the roll, or -1; what of it can be corrected; what could not follow that. */
  seat?: number;
  correct?: { faces: string; targets: string[]; target: string };
  named?: string;
}

/** The model of a Jupyter widget, or a substitute. */
export interface Model {
  get(name: "_form"): Form;
  get(name: "_state"): State;
  get(name: "description" | "_accent"): string | undefined;
  get(name: "disabled"): boolean | undefined;
  on(event: string, call: (content: any) => void): void;
  off(event: string, call: (content: any) => void): void;
  send(content: Message): void;
}

/** The model that all panels share. */
export interface Frontend {
  /** Whether its kernel is running. */
  comm_live?: boolean;
  on(event: string, call: () => void): void;
  off(event: string, call: () => void): void;
}

/**
 * Shows a panel in an element, and returns a function that removes it.
 *
 * `css` are the styles, omitted by a page that links them, and `hash` the id under which they are added to the page
 * once. `form` is given where forms are shared; else it is in the model. `seats` are the panels of a table, which are
 * already in the element.
 */
export type Render = (context: { model: Model; el: HTMLElement }, css?: string, hash?: string, front?: Frontend, form?: Form, seats?: HTMLElement[]) => () => void;

/** A slot that a character can fill in: its label, the characters, who plays, who lacks nothing, and the last group. */
export interface SlotChoice {
  slot: string;
  label: string;
  names: string[];
  chosen: number;
  able: boolean[];
  group: boolean[];
}

/** What of the roll that is shown can be corrected. */
export type Correction = (view: string, ask: Ask) => { node: HTMLElement; show(roll: number, can: State["correct"]): void };

/** The order of turns at a table. */
export type TurnOrder = (view: string, ask: Ask) => { node: HTMLElement; show(order: NonNullable<State["order"]>): void };

/** The characters of a table, whose values are sent by their index and their name, as in 0.HP. */
export type People = (view: string, messages: ReturnType<Messenger>) => { node: HTMLElement; show(people: NonNullable<State["people"]>): void };

/** Shows a table around the elements of its panels. */
export type Evening = (context: { model: Model; el: HTMLElement }, front: Frontend | undefined, form: Form, seats: HTMLElement[]) => () => void;

/** Returns a packed text. */
export type ReadText = (packed: string) => Promise<string>;

/** What unpacks: packed bytes, and packed text; and what loads a module from its text. */
export interface Unpacker {
  read(bytes: BlobPart): Promise<string>;
  readText: ReadText;
  load(js: string): Promise<any>;
}

/** Shows a panel, and returns a function that removes it. The models are those of the widget manager. */
export type Start = (
  context: { model: any; el: HTMLElement },
  front: any,
  unpacked: Unpacker & { css: string; shapes: Form["shapes"] },
) => Promise<() => void>;

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
) => { add(item: any): void; show(items: any[], state: State): void };

/** A control with its label, and what else belongs to the field. */
export type LabelledControl = (field: Field, id: string, change: Change, ...more: Node[]) => ControlView;

export type ErrorMessage = (id: string) => {
  nodes: Node[];
  show(error?: FieldError | null): void;
  speak(again?: boolean): void;
};

/** The bars of odds: figures for the line above them, and the rest. */
export type OddsBars = () => { figures: HTMLElement[]; nodes: HTMLElement[]; show(odds: Odds | null, visible: boolean): void };

export type OddsChart = (
  id: string,
  ask: Ask,
  form: Form,
) => { node: HTMLElement; show(odds: Odds | null, compared?: Comparison): void };

/** Sends an action with what belongs to it. */
export type Ask = (action: Message["do"], more?: object) => void;

/** Without `unpin` it is only shown. */
export type ComparisonChart = (unpin?: (item: number) => void) => {
  node: HTMLElement;
  show(comparison: Comparison | undefined, subject: string): void;
};

export type CharacterChoice = (view: string, ask: Ask) => { node: HTMLElement; show(state: State): void };

export type DiceTray = (form: Form["tray"], ask: Ask) => { node: HTMLElement; show(state: State): void };

export type CopyBox = (id: string, label: string) => { node: HTMLElement; show(text: string): void };

export type ShowVerdict = (node: HTMLElement, verdict: Verdict) => void;

/** `read` returns the state. */
export type Exported = (view: string, read: () => State) => { node: HTMLElement; show(): void };

export type OwnGame = (press: (target: object) => void) => { node: HTMLElement; show(state: State): void };

export type LastRoll = () => {
  /** The verdict and the dice. */
  head: HTMLElement;
  /** The rest. */
  nodes: HTMLElement[];
  /** Starts the animation of the dice, after a delay, or stops it. */
  tumble(on: boolean): void;
  /** A message takes the place of the outcome. */
  show(outcome: State["outcome"], failed?: string): void;
};

/** `describeMore` returns the last button of a roll: its text, what it does, and its properties. `all` applies all. */
export type RollList = (
  ask: Ask,
  describeMore: (row: LogRow) => [text: string, press: () => void, properties: object],
) => { nodes: HTMLElement[]; all: HTMLElement; show(answer: Answer): void; mark(roll: number): void };

export type CopyLog = (view: string, ask: Ask, formats: Form["formats"]) => { node: HTMLElement; askText(): void; showText(text: string): void };

export type HistoryList = (
  view: string,
  ask: (action: Message["do"], more?: object) => void,
  clear: HTMLElement,
  open: boolean,
  formats: Form["formats"],
) => { node: HTMLElement; show(answer: Answer): void; select(state: State): void; showText(text: string): void };

/** A change that is not answered yet: its section of a message, and the number of the message that carried it. */
export interface PendingChange {
  section: string;
  name: string;
  value: any;
  sent: number;
}

/** `work` says which panel is at work, `draw` shows its state, and `hear` takes what Python sends. */
export type Follow = (
  context: { model: Model; el: HTMLElement },
  front: Frontend | undefined,
  node: HTMLElement,
  panel: { work(): void; draw(): void; hear(answer: Answer): void },
) => () => void;

/** The callbacks are called when a message is sent, when its answer takes long, and when it is answered. */
export type Messenger = (
  model: Model,
  view: string,
  callbacks: { dead(): boolean; sending(rolling: boolean, long: boolean): void; answering(rolling: boolean, failed: string): void },
) => {
  isChanged(key: string): boolean;
  change(key: string, section: string, name: string, value: any): void;
  ask: Ask;
  receive(answer: Answer): void;
};

/** The fields of a mechanic, and those that every panel has. */
export type Fields = (form: Form, parts: State["parts"], view: string, messages: ReturnType<Messenger>) => {
  own: { node: HTMLElement; show(state: State): void }[];
  common: { node: HTMLElement; show(state: State): void }[];
  advanced: { node: HTMLElement; show(state: State): void }[];
  /** The faces of dice that were thrown by hand. */
  faces: { node: HTMLElement; show(state: State): void };
  speakErrors(): void;
};

export type Sound = (id: string) => { node: HTMLElement; play(): void };

export type HandleKeys = (root: HTMLElement, actions: { enter(): void; undo: HTMLElement; redo: HTMLElement }) => void;
