import type { HeldBack } from '@ccmcp/core/contracts';
import type { HeldDefinition } from '../../shared/lists.ts';
import type { EventLog } from '../log/event-log.ts';
import { RequestError } from '../targets.ts';

/** Maximum number of definitions that wait for a decision. */
const maxWaiting = 200;
/** Maximum length of a message. */
const maxMessage = 20_000;

/** The definitions of a connection that differ from its lock and wait for a decision of the user. */
export class HeldDefinitions {
  readonly #log: EventLog;
  readonly #connection: string;
  readonly #waiting = new Map<string, HeldBack>();
  #count = 0;

  constructor(log: EventLog, connection: string) {
    this.#log = log;
    this.#connection = connection;
  }

  /** Adds one; it replaces an earlier version of the same definition. */
  add(held: HeldBack): void {
    for (const [id, { item, name }] of this.#waiting) {
      if (item === held.item && name === held.name) this.#waiting.delete(id);
    }
    if (this.#waiting.size >= maxWaiting) return;
    this.#count += 1;
    this.#waiting.set(`h${this.#count}`, held);
    this.#report();
  }

  /** Removes one from the list, and returns it. */
  take(id: string): HeldBack {
    const held = this.#waiting.get(id);
    if (held === undefined)
      throw new RequestError('This definition has changed again, or was decided on', undefined, 409);
    this.#waiting.delete(id);
    this.#report();
    return held;
  }

  /** A new connection compares anew. */
  clear(): void {
    if (this.#waiting.size === 0) return;
    this.#waiting.clear();
    this.#report();
  }

  #report(): void {
    const definitions = Array.from(
      this.#waiting,
      ([held, { item, name, message }]): HeldDefinition => ({
        held,
        item,
        name,
        message: message.slice(0, maxMessage),
      }),
    );
    this.#log.add('held-back', { connection: this.#connection, definitions });
  }
}
