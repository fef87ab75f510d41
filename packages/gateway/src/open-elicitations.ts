import type { ActiveCall } from './connection.ts';

/** The maximum elicitations whose callers are remembered. */
const maxOpen = 1000;

/** Elicitations by URL of an upstream, and the calls that they belong to. */
export class OpenElicitations {
  readonly #calls = new Map<string, ActiveCall>();

  /** Remembers whom an elicitation was passed to, and forgets the oldest. */
  add(elicitationId: unknown, call: ActiveCall): void {
    if (typeof elicitationId !== 'string') return;
    this.#calls.set(elicitationId, call);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= maxOpen) break;
      this.#calls.delete(oldest);
    }
  }

  /** Tells the caller that what the page was for is finished. */
  complete(elicitationId: string): void {
    this.#calls.get(elicitationId)?.completeElicitation(elicitationId);
    this.#calls.delete(elicitationId);
  }
}
