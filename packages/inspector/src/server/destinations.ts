import { createHmac, randomBytes } from 'node:crypto';
import type { KnownTarget } from '../shared/connections.ts';
import type { Confirmation, Destination } from '../shared/requests.ts';
import type { EventLog } from './log/event-log.ts';
import { maskLabel } from './mask.ts';
import { isSameSecret } from './same-secret.ts';
import { type OfferedTarget, Refusal, type Target } from './targets.ts';

/** How what people type is understood, and kept for another time. */
export interface Typing {
  resolve: ((typed: string) => Promise<Target>) | undefined;
  remember: ((typed: string) => void) | undefined;
}

/** What can be connected to: what was offered, and what people type. */
export class Destinations {
  readonly #offered: ReadonlyMap<string, OfferedTarget>;
  readonly #typing: Typing;
  readonly #secret = randomBytes(32);

  constructor(log: EventLog, offered: readonly OfferedTarget[], typing: Typing) {
    this.#offered = new Map(offered.map((target, at) => [`t${at + 1}`, target]));
    this.#typing = typing;
    const targets = Array.from(
      this.#offered,
      ([id, { resolve: _, label, ...known }]): KnownTarget => ({
        id,
        label: maskLabel(label),
        ...known,
      }),
    );
    log.add('targets', { targets });
  }

  /**
   * What a destination means. Where it is a program that nobody named when the inspector was started, `code` must say that a
   * person has seen what would be started.
   */
  async find(
    destination: Partial<{ target: string; typed: string }> | Destination,
    code: string | undefined,
  ): Promise<{ target: Target; known?: string } | { confirm: Confirmation }> {
    const { target: known, typed } = destination as Partial<{ target: string; typed: string }>;
    let word = typed?.trim() ?? '';
    if (known !== undefined) {
      const { origin, label, resolve } = this.#known(known);
      if (origin !== 'last') return { target: await resolved(resolve()), known };
      word = label;
    }
    if (word === '') throw new Refusal('Nothing to connect to was named', 'Type a URL, a file, or a command.');
    const named = [...this.#offered].find(([, { label, origin }]) => label === word && origin !== 'last');
    if (named !== undefined) return { target: await resolved(named[1].resolve()), known: named[0] };
    const target = await this.#typed(word);
    if (target.kind === 'command' && !this.#isSeen(target, code)) {
      const { command, args, cwd = process.cwd() } = target;
      return { confirm: { command: [command, ...args], cwd, code: this.#codeFor(target) } };
    }
    this.#typing.remember?.(word);
    return { target };
  }

  #known(id: string): OfferedTarget {
    const offered = this.#offered.get(id);
    if (offered === undefined) throw new Refusal('There is no such target', undefined, 404);
    return offered;
  }

  async #typed(word: string): Promise<Target> {
    const { resolve } = this.#typing;
    if (resolve !== undefined) return resolved(resolve(word));
    const url = /^https?:\/\//i.test(word) && URL.canParse(word) ? new URL(word) : undefined;
    if (url !== undefined && url.username === '') return { kind: 'url', url: url.href, label: word };
    throw new Refusal('Only addresses can be typed here', 'Start "ccmcp inspect" for files and commands.');
  }

  #codeFor({ command, args, cwd }: Extract<Target, { kind: 'command' }>): string {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([command, args, cwd]))
      .digest('base64url');
  }

  #isSeen(target: Extract<Target, { kind: 'command' }>, code: string | undefined): boolean {
    return code !== undefined && isSameSecret(code, this.#codeFor(target));
  }
}

/** A target that can't be resolved is a mistake of whoever names it; the resolver's words, and its hint, say which. */
async function resolved(resolving: Promise<Target>): Promise<Target> {
  try {
    return await resolving;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { message, hint } = error as Error & { hint?: unknown };
    throw new Refusal(message, typeof hint === 'string' ? hint : undefined);
  }
}
