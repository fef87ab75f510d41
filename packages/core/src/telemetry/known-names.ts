import { limits } from '../limits.ts';
import { methodNames } from '../revisions/history.ts';

const most = limits.telemetry.names.value;

/** Stands for all names that nobody here has heard of. */
export const otherName = '_OTHER';

/**
 * Remembers which names are real: a name in a measurement or a span is kept for ever by whoever collects them, and a client may
 * make up as many as it likes. A name is real when something answered to it.
 */
export class KnownNames {
  readonly #names = new Set<string>();

  has(kind: string, name: string): boolean {
    return this.#names.has(`${kind} ${name}`);
  }

  /** Something answered to this name. Gives whether it is known now: there is a limit to how many are. */
  learn(kind: string, name: string): boolean {
    const key = `${kind} ${name}`;
    if (this.#names.size < most) this.#names.add(key);
    return this.#names.has(key);
  }
}

/** True for a method of any revision of the protocol. */
export function isProtocolMethod(method: string): boolean {
  return methodNames.has(method);
}
