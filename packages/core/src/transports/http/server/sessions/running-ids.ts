import type { RequestId } from '../../../../jsonrpc/message.ts';

/** The ids of the requests that run in each session on this instance: unique, whichever POST they came with. */
export class RunningIds {
  readonly #sessions = new Map<string, Set<RequestId>>();

  has(session: string, id: RequestId): boolean {
    return this.#sessions.get(session)?.has(id) ?? false;
  }

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
