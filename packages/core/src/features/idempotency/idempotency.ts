import { limits } from '../../limits.ts';
import type { Store } from '../../stores/store.ts';

/** How answers to calls with an idempotency key are remembered. */
export interface IdempotencyOptions {
  /** For how long, in milliseconds. Default: 10 minutes. */
  keepMs?: number;
  /** Answers of how many characters, as JSON. Default: 256 Ki. */
  maxAnswer?: number;
}

/** The operations of a store that idempotency keys need. */
export type IdempotencyStore = Pick<
  Store,
  'lease' | 'release' | 'create' | 'claim' | 'read' | 'update' | 'remove' | 'publish' | 'subscribe'
>;

/** How a server stores answers, and where, if its transport has no store. */
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
