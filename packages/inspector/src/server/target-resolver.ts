import { createHmac, randomBytes } from 'node:crypto';
import type { KnownTarget } from '../shared/connections.ts';
import type { Confirmation, Destination } from '../shared/requests.ts';
import type { EventLog } from './log/event-log.ts';
import { maskLabel } from '@ccmcp/core/recording';
import { isSameSecret } from './is-same-secret.ts';
import { type OfferedTarget, RequestError, type Target } from './targets.ts';

/** Resolves and stores typed targets. */
export interface TypedTargets {
  resolve: ((typed: string) => Promise<Target>) | undefined;
  remember: ((typed: string) => void) | undefined;
}

/** Resolves targets: known ones by id, others as typed. */
export class TargetResolver {
  readonly #offered: ReadonlyMap<string, OfferedTarget>;
  readonly #typing: TypedTargets;
  readonly #secret = randomBytes(32);

  constructor(log: EventLog, offered: readonly OfferedTarget[], typedTargets: TypedTargets) {
    this.#offered = new Map(offered.map((target, at) => [`t${at + 1}`, target]));
    this.#typing = typedTargets;
    const targets = Array.from(
      this.#offered,
      ([id, { resolve: _, label, ...targetId }]): KnownTarget => ({
        id,
        label: maskLabel(label),
        ...targetId,
      }),
    );
    log.add('targets', { targets });
  }

  /** Resolves a destination. A command that was not given at start needs a `code`, which proves that the user has seen it. */
  async resolve(
    destination: Partial<{ target: string; typed: string }> | Destination,
    code: string | undefined,
  ): Promise<{ target: Target; targetId?: string } | { confirm: Confirmation }> {
    const { target: targetId, typed } = destination as Partial<{ target: string; typed: string }>;
    let input = typed?.trim() ?? '';
    if (targetId !== undefined) {
      const { origin, label, resolve } = this.#offeredTarget(targetId);
      if (origin !== 'last') return { target: await rejectAsRequestError(resolve()), targetId };
      input = label;
    }
    if (input === '') throw new RequestError('Nothing to connect to', 'Type a URL, a file, or a command.');
    const named = [...this.#offered].find(([, { label, origin }]) => label === input && origin !== 'last');
    if (named !== undefined) return { target: await rejectAsRequestError(named[1].resolve()), targetId: named[0] };
    const target = await this.#resolveTyped(input);
    if (target.kind === 'command' && !this.#isConfirmed(target, code)) {
      const { command, args, cwd = process.cwd() } = target;
      return { confirm: { command: [command, ...args], cwd, code: this.#codeFor(target) } };
    }
    this.#typing.remember?.(input);
    return { target };
  }

  #offeredTarget(id: string): OfferedTarget {
    const offered = this.#offered.get(id);
    if (offered === undefined) throw new RequestError('Unknown target', undefined, 404);
    return offered;
  }

  async #resolveTyped(input: string): Promise<Target> {
    const { resolve } = this.#typing;
    if (resolve !== undefined) return rejectAsRequestError(resolve(input));
    const url = /^https?:\/\//i.test(input) && URL.canParse(input) ? new URL(input) : undefined;
    if (url !== undefined && url.username === '') return { kind: 'url', url: url.href, label: input };
    throw new RequestError('Only URLs are supported here', 'Start "ccmcp inspect" for files and commands.');
  }

  #codeFor({ command, args, cwd }: Extract<Target, { kind: 'command' }>): string {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([command, args, cwd]))
      .digest('base64url');
  }

  #isConfirmed(target: Extract<Target, { kind: 'command' }>, code: string | undefined): boolean {
    return code !== undefined && isSameSecret(code, this.#codeFor(target));
  }
}

/** A target that can't be resolved is a bad request; the resolver's message and hint explain it. */
async function rejectAsRequestError(resolving: Promise<Target>): Promise<Target> {
  try {
    return await resolving;
  } catch (error) {
    if (error instanceof RequestError) throw error;
    const { message, hint } = error as Error & { hint?: unknown };
    throw new RequestError(message, typeof hint === 'string' ? hint : undefined);
  }
}
