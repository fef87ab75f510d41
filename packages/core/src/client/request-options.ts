import type { Meta } from '../protocol/meta.ts';
import type { Progress } from './connection/pending-requests.ts';

/** How one request is made. */
export interface RequestOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  maxTimeoutMs?: number;
  onProgress?: (progress: Progress) => void;
  /** More for the request's `_meta`. */
  meta?: Meta;
  /** Asks the server, even where a kept answer still holds. */
  fresh?: boolean;
  /**
   * A text that no other call has: where the server knows such keys, the call is served once, however often it is sent. Of
   * `callTool`.
   */
  idempotencyKey?: string;
  /** As of `connect`, for this call of a tool. */
  retries?: number;
  /** False: a result of an extension's type is given as it is, where `request` is called. */
  follow?: boolean;
}
