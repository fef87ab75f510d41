import { ProtocolError } from './errors.ts';
import type { Notification, Params, Request, RequestId, Response } from './message.ts';

interface PendingRequest {
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

/** Requests sent to the peer that wait for a response. Ids are never reused. */
export class Pending {
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #prefix: string | undefined;
  #last = 0;

  /** With a prefix, ids are strings that start with it, so that several senders can share one client. */
  constructor({ prefix }: { prefix?: string } = {}) {
    this.#prefix = prefix;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Sends a request and waits for its response. Aborting sends `notifications/cancelled`. */
  ask(
    method: string,
    params: Params | undefined,
    send: (message: Request | Notification) => void,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      this.#last += 1;
      const id = this.#prefix === undefined ? this.#last : `${this.#prefix}${this.#last}`;
      const abort = (): void => {
        this.#pending.delete(id);
        send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        reject(signal?.reason);
      };
      const close = (): void => signal?.removeEventListener('abort', abort);
      signal?.addEventListener('abort', abort, { once: true });
      this.#pending.set(id, {
        resolve: (result) => {
          close();
          resolve(result);
        },
        reject: (error) => {
          close();
          reject(error);
        },
      });
      send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
    });
  }

  /** Resolves the matching request. Drops a late or duplicate response. */
  settle(response: Response): void {
    const pending = response.id === null ? undefined : this.#pending.get(response.id);
    if (pending === undefined) return;
    this.#pending.delete(response.id as RequestId);
    if ('error' in response) {
      const { code, message, data } = response.error;
      pending.reject(new ProtocolError(code, message, data));
    } else {
      pending.resolve(response.result as Record<string, unknown>);
    }
  }

  /** Rejects all pending requests. */
  end(reason: Error): void {
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
  }
}
