/** A batch on a worker's channel. */
export interface Messages<Item> {
  ccmcp: Item[];
}

/** A call from a worker to the primary. */
export interface WorkerCall {
  id: number;
  operation: string;
  given: readonly unknown[];
}

/** A message of the primary: an answer, or an event for a subscriber. */
export type PrimaryMessage =
  | { id: number; result?: unknown; error?: string }
  | { listenerId: number; message: unknown };

/** The settings that the primary sends to a new worker. */
export interface WorkerSettings {
  /** In hexadecimal digits. */
  secret: string;
  /** The port of the other workers. */
  port?: number;
}

/** How a worker shuts down. */
export interface ShutdownOptions {
  graceMs?: number;
  lingerMs?: number;
}

/** Why a worker could not start to serve. */
export interface StartFailure {
  message: string;
  /** Other members of the error, such as `code` and `port`. */
  facts: Record<string, unknown>;
}
