import type { ActiveCall } from './upstream/connection.ts';

/** The maximum number of elicitations with a recorded caller. */
const maxOpen = 1000;

/** Maps URL elicitations of an upstream to their calls. */
export class OpenElicitations {
  readonly #calls = new Map<string, ActiveCall>();

  /** Records the call of an elicitation, and evicts the oldest. */
  add(elicitationId: unknown, call: ActiveCall): void {
    if (typeof elicitationId !== 'string') return;
    this.#calls.set(elicitationId, call);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= maxOpen) break;
      this.#calls.delete(oldest);
    }
  }

  /** Notifies the caller that a URL elicitation is complete. */
  complete(elicitationId: string): void {
    this.#calls.get(elicitationId)?.completeElicitation(elicitationId);
    this.#calls.delete(elicitationId);
  }
}
