/** What is sent over the channel of a worker at a time. */
export interface Messages<Item> {
  ccmcp: Item[];
}

/** What a worker wants of the primary. */
export interface WorkerCall {
  id: number;
  operation: string;
  given: readonly unknown[];
}

/** What the primary answers, or tells without being asked: to whoever asked to hear it. */
export type PrimaryMessage = { id: number; result?: unknown; error?: string } | { heard: number; message: unknown };

/** What a worker is told first. */
export interface Welcome {
  /** In hexadecimal digits. */
  secret: string;
  /** Where the others listen already. */
  port?: number;
}

/** How a worker ends its work. */
export interface Closing {
  graceMs?: number;
  lingerMs?: number;
}

/** Why a worker could not begin to serve, as the primary tells it. */
export interface StartFailure {
  message: string;
  /** What else the error said of itself, such as `code` and `port`. */
  facts: Record<string, unknown>;
}
