/** A request made by the page or the inspector. */
export interface CallStart {
  readonly call: string;
  readonly connection: string;
  readonly method: string;
  /** Name of a tool or prompt, URI of a resource. */
  readonly subject?: string;
  /** Params as JSON, truncated if long; full by `GET api/calls/CALL`. */
  readonly params: string;
  readonly truncated?: true;
  /** The caller: the page, a view of the server, or the inspector itself. */
  readonly by: 'page' | 'view' | 'inspector';
  /** The call that this one repeats. */
  readonly repeats?: string;
}

/** Progress of a call, as reported by the server. */
export interface Progress {
  readonly call: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Outcome of a call: success, tool error, output that violates the output schema, protocol error, timeout, cancellation, or lost
 * connection.
 */
export type CallOutcome = 'ok' | 'tool-error' | 'broken-output' | 'error' | 'timeout' | 'cancelled' | 'lost';

/** End of a call. */
export interface CallEnd {
  readonly call: string;
  readonly outcome: CallOutcome;
  readonly ms: number;
  /** Size of the result as JSON, in bytes; of a list, size of its entries. */
  readonly bytes: number;
  /** Estimated tokens of the result, images and audio clips by a fixed number each. */
  readonly tokens: number;
  /** The result; absent if longer than `maxInlineResult`, then by `GET api/calls/CALL`. */
  readonly result?: unknown;
  readonly truncated?: true;
  /** Number of entries of a list that the inspector loaded page by page. */
  readonly listed?: number;
  readonly error?: CallError;
  /** The structured result matches the output schema. */
  readonly fits?: true;
  /** Problems of the structured result. */
  readonly problems?: readonly Problem[];
}

/** Why a call has no result. */
export interface CallError {
  readonly message: string;
  /** Error code of the protocol, or HTTP status. */
  readonly code?: number;
  readonly data?: unknown;
  readonly advice?: string;
}

/** A problem of a value, and where it is. */
export interface Problem {
  /** JSON pointer; empty: the whole value. */
  readonly path: string;
  readonly message: string;
}

/** A span inside an in-process server. */
export interface Span {
  readonly connection?: string;
  readonly call?: string;
  /** Name, such as `tools/call create_note`. */
  readonly name: string;
  /** Start, in milliseconds since 1970. */
  readonly start: number;
  readonly ms: number;
  readonly outcome: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/** Latest state of a task. */
export interface TaskState {
  readonly connection: string;
  readonly call?: string;
  readonly task: string;
  readonly status: string;
  readonly message?: string;
  /** The whole task, as reported by the server. */
  readonly value: Readonly<Record<string, unknown>>;
}

const finishedStatuses: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Whether a task status is final. */
export function isTaskFinished(status: string): boolean {
  return finishedStatuses.has(status);
}
