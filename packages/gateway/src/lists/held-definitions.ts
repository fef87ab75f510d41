import type { Server } from '@ccmcp/core';
import type { HeldBack } from '@ccmcp/core/contracts';

/** The maximum number of definitions that are remembered as held back. */
const maxHeld = 1000;
/** The maximum number of names in a sentence. */
const maxNames = 10;

/** The definitions of an upstream that are held back, because they differ from its lock. */
export class HeldDefinitions {
  readonly #server: Server;
  /** By the message that says why. */
  readonly #items = new Map<string, string>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** Each connection tells what it holds back; only the first report of a version is logged. */
  add({ item, name, message }: HeldBack): void {
    if (this.#items.has(message)) return;
    if (this.#items.size >= maxHeld) this.#items.clear();
    this.#items.set(message, `${item} ${name.slice(0, 100)}`.trim());
    this.#server.reportError(`Upstream "${this.#server.info.name}"`, message);
  }

  /** Names them in a sentence; undefined if there are none. */
  get summary(): string | undefined {
    const items = [...new Set(this.#items.values())];
    if (items.length === 0) return undefined;
    const names = items.slice(0, maxNames).join(', ');
    return `"${this.#server.info.name}" holds back what differs from the lock: ${names}${items.length > maxNames ? ' …' : ''}`;
  }
}
