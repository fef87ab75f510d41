import { limits } from '../../limits.ts';
import type { Store } from '../../stores/store.ts';

/** How results of calls with an idempotency key are stored. */
export interface IdempotencyOptions {
  /** The lifetime of a stored result in milliseconds. Default: 10 minutes. */
  keepMs?: number;
  /** The maximum size of a stored result as JSON, in characters. Default: 256 Ki. */
  maxAnswer?: number;
}

/** The operations of a store that idempotency keys need. */
export type IdempotencyStore = Pick<
  Store,
  'lease' | 'release' | 'create' | 'claim' | 'read' | 'update' | 'remove' | 'publish' | 'subscribe'
>;

/** Stores results for a server, in its own store if the transport has none. */
export class Idempotency {
  readonly keepMs: number;
  readonly maxAnswer: number;
  #local: Promise<IdempotencyStore> | undefined;

  constructor({ keepMs, maxAnswer }: IdempotencyOptions = {}) {
    this.keepMs = keepMs ?? limits.server.idempotencyKeepMs.value;
    this.maxAnswer = maxAnswer ?? limits.server.idempotencyAnswer.value;
  }

  /** The store of this process, for transports without one. */
  localStore(): Promise<IdempotencyStore> {
    this.#local ??= import('../../stores/memory.ts').then(({ memoryStore }) => memoryStore());
    return this.#local;
  }
}
