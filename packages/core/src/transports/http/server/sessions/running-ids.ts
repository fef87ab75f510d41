import type { RequestId } from '../../../../jsonrpc/message.ts';

/** The ids of running requests per session on this instance: they are unique across POSTs. */
export class RunningIds {
  readonly #sessions = new Map<string, Set<RequestId>>();
  /** The ids by session; absent if none is running. */
  readonly bySession: ReadonlyMap<string, ReadonlySet<RequestId>> = this.#sessions;

  add(session: string, id: RequestId): void {
    const ids = this.#sessions.get(session);
    if (ids === undefined) this.#sessions.set(session, new Set([id]));
    else ids.add(id);
  }

  delete(session: string, id: RequestId): void {
    const ids = this.#sessions.get(session);
    ids?.delete(id);
    if (ids?.size === 0) this.#sessions.delete(session);
  }
}
