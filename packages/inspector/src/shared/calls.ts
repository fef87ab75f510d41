/** A request that the page or the inspector itself makes, with all that belongs to it. */
export interface CallStart {
  readonly call: string;
  readonly connection: string;
  readonly method: string;
  /** The name of a tool or prompt, the address of a resource. */
  readonly subject?: string;
  /** The params as JSON, cut where they are long; whole by `GET api/calls/CALL`. */
  readonly params: string;
  readonly cut?: true;
  /** Who wanted it: the page, a view of the server that is shown in it, or the inspector that fetches lists and connects. */
  readonly by: 'page' | 'view' | 'inspector';
  /** The call that this repeats. */
  readonly repeats?: string;
}

/** How far a call has come, as its server says. */
export interface Progress {
  readonly call: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * How a call ended: with a result, with a result that says that the tool failed, with a result that does not fit the tool's output
 * schema, with an error of the server, without an answer in time, because it was cancelled, or because the connection was lost.
 */
export type CallOutcome = 'ok' | 'tool-error' | 'broken-output' | 'error' | 'timeout' | 'cancelled' | 'lost';

/** A call is over. */
export interface CallEnd {
  readonly call: string;
  readonly outcome: CallOutcome;
  readonly ms: number;
  /** The length of the result as JSON, in bytes; of a list, that of its entries. */
  readonly bytes: number;
  /** What the result costs a model, about: a quarter of the bytes of the content. */
  readonly tokens: number;
  /** The result; absent where it is longer than `inlineResult`, and got by `GET api/calls/CALL`. */
  readonly result?: unknown;
  readonly cut?: true;
  /** Of a list that the inspector has fetched, page by page: how many entries it has. What the server said is in its answers. */
  readonly listed?: number;
  readonly error?: CallError;
  /** The structured result was held against the output schema of its tool, and fits. */
  readonly fits?: true;
  /** What is wrong with the structured result. */
  readonly problems?: readonly Problem[];
}

/** Why a call has no result. */
export interface CallError {
  readonly says: string;
  /** The code of the protocol, or the status of HTTP. */
  readonly code?: number;
  readonly data?: unknown;
  readonly advice?: string;
}

/** What is wrong with a value, at the place where it is wrong. */
export interface Problem {
  /** Where it is, as a JSON pointer; empty: the whole value. */
  readonly path: string;
  readonly says: string;
}

/** Time that something took inside a server that runs in the process of the inspector. */
export interface Span {
  readonly connection?: string;
  readonly call?: string;
  /** What ran, such as `tools/call create_note`. */
  readonly name: string;
  /** When it began, in milliseconds since 1970. */
  readonly start: number;
  readonly ms: number;
  readonly outcome: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/** A task as its server last told of it. */
export interface TaskState {
  readonly connection: string;
  readonly call?: string;
  readonly task: string;
  readonly status: string;
  readonly says?: string;
  /** The whole of it, as the server told. */
  readonly value: Readonly<Record<string, unknown>>;
}

const over: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Whether a task of this status goes on no more. */
export function taskIsOver(status: string): boolean {
  return over.has(status);
}
