import { limits } from '../../limits.ts';
import type { Store } from '../../stores/store.ts';

/** How answers to calls with an idempotency key are remembered. */
export interface IdempotencyOptions {
  /** For how long, in milliseconds. Default: 10 minutes. */
  keepMs?: number;
  /** Answers of how many characters, as JSON. Default: 256 Ki. */
  maxAnswer?: number;
}

/** What calls with keys need of a store. */
export type OnceStore = Pick<
  Store,
  'lease' | 'release' | 'create' | 'claim' | 'read' | 'update' | 'remove' | 'publish' | 'subscribe'
>;

/** How a server remembers answers, and where, if a transport does not say. */
export class Idempotency {
  readonly keepMs: number;
  readonly maxAnswer: number;
  #own: Promise<OnceStore> | undefined;

  constructor({ keepMs, maxAnswer }: IdempotencyOptions) {
    this.keepMs = keepMs ?? limits.server.idempotencyKeepMs.value;
    this.maxAnswer = maxAnswer ?? limits.server.idempotencyAnswer.value;
  }

  /** Where a transport has no store, answers are remembered in this process. */
  own(): Promise<OnceStore> {
    this.#own ??= import('../../stores/memory.ts').then(({ memoryStore }) => memoryStore());
    return this.#own;
  }
}
