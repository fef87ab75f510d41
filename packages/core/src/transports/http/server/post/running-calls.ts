import type { RequestId } from '../../../../jsonrpc/message.ts';
import type { RunningCall } from '../../../../server/exchange.ts';
import type { RunningIds } from '../sessions/running-ids.ts';

const none: ReadonlyMap<RequestId, RunningCall> = new Map();

/** The calls of one POST: a map that is made with the first of them, since most are answered before they would be kept. */
export class LateCalls implements Map<RequestId, RunningCall> {
  #calls: Map<RequestId, RunningCall> | undefined;

  get [Symbol.toStringTag](): string {
    return 'Map';
  }

  get size(): number {
    return this.#calls === undefined ? 0 : this.#calls.size;
  }

  has(id: RequestId): boolean {
    return this.#calls?.has(id) ?? false;
  }

  get(id: RequestId): RunningCall | undefined {
    return this.#calls?.get(id);
  }

  set(id: RequestId, call: RunningCall): this {
    this.#calls ??= new Map();
    this.#calls.set(id, call);
    return this;
  }

  clear(): void {
    this.#calls = undefined;
  }

  forEach(each: (call: RunningCall, id: RequestId, calls: Map<RequestId, RunningCall>) => void, self?: unknown): void {
    for (const [id, call] of this) each.call(self, call, id, this);
  }

  entries(): MapIterator<[RequestId, RunningCall]> {
    return (this.#calls ?? none).entries();
  }

  delete(id: RequestId): boolean {
    return this.#calls?.delete(id) ?? false;
  }

  keys(): MapIterator<RequestId> {
    return (this.#calls ?? none).keys();
  }

  values(): MapIterator<RunningCall> {
    return (this.#calls ?? none).values();
  }

  [Symbol.iterator](): MapIterator<[RequestId, RunningCall]> {
    return this.entries();
  }
}

/** The calls of one POST in a session. `has` knows those of its other POSTs too. */
export class SessionCalls extends LateCalls {
  readonly #ids: RunningIds;
  readonly #session: string;

  constructor(ids: RunningIds, session: string) {
    super();
    this.#ids = ids;
    this.#session = session;
  }

  override has(id: RequestId): boolean {
    return this.#ids.has(this.#session, id);
  }

  override set(id: RequestId, call: RunningCall): this {
    this.#ids.add(this.#session, id);
    return super.set(id, call);
  }

  override delete(id: RequestId): boolean {
    const isOwn = super.delete(id);
    if (isOwn) this.#ids.delete(this.#session, id);
    return isOwn;
  }

  override clear(): void {
    for (const id of this.keys()) this.#ids.delete(this.#session, id);
    super.clear();
  }
}
