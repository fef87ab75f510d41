import type { Operation, Outcome, Result, Server } from '@ccmcp/core';
import { askToSignIn } from './ask-to-sign-in.ts';
import { Names } from '../lists/names.ts';
import { findSignIn, type SignInRequired } from './sign-in-required.ts';
import type { Front } from '../lists/watched-resources.ts';

interface SignInToolOptions {
  /** The name of the upstream. */
  readonly upstream: string;
  readonly prefix?: string;
  /** The server of the caller. */
  readonly server: Server;
  readonly front: Front;
  readonly waitMs: number;
  /** Connects to the upstream and reads its lists; for a request, with the capabilities of its client. */
  start(operation?: Operation): Promise<void>;
  /** True if the lists of the upstream are known. */
  isKnown(): boolean;
}

/** A tool that signs a caller in, listed until the lists of the upstream are known. */
export class SignInTool {
  readonly #options: SignInToolOptions;
  readonly #name: string;
  /** The last requested sign-in. */
  #last: Promise<void> | undefined;

  constructor(options: SignInToolOptions) {
    this.#options = options;
    const { upstream, prefix, server } = options;
    this.#name = new Names(upstream, prefix === undefined ? {} : { prefix }).toPublic('sign_in') as string;
    server.tools.add({
      name: this.#name,
      title: `Sign in to ${upstream}`,
      description: `Signs the user in to "${upstream}" with a browser. Its tools are listed afterwards.`,
      call: async (_, context) => {
        await this.#signIn(context as Operation);
        return `You are signed in to "${upstream}": list the tools again.`;
      },
    });
  }

  /** The response to a request without the tool, unless it is needed. */
  toShown({ method }: Operation, outcome: Outcome): Outcome {
    // It remains callable: a client may repeat the call after the sign-in.
    const isListed = this.#last !== undefined && !this.#options.isKnown();
    return method === 'tools/list' && !isListed ? withoutTool(outcome, this.#name) : outcome;
  }

  /** Records a required sign-in. Connects after it. */
  onRequired({ done }: SignInRequired): void {
    if (this.#last === done) return;
    this.#last = done;
    const { start, isKnown, front } = this.#options;
    done.then(() => start()).catch(() => {});
    if (!isKnown()) front.server.tools.changed(front.to);
  }

  async #signIn(operation: Operation): Promise<void> {
    const { start, upstream, waitMs } = this.#options;
    try {
      await start(operation);
    } catch (error) {
      const required = findSignIn(error);
      if (required === undefined) throw error;
      await askToSignIn(operation, required, { upstream, waitMs });
      await start(operation);
    }
  }
}

/** A list without one of its tools. */
function withoutTool(outcome: Outcome, name: string): Outcome {
  const list = (typeof outcome.toJSON === 'function' ? outcome.toJSON() : outcome) as Result;
  return { ...list, tools: (list.tools as { name: string }[]).filter((tool) => tool.name !== name) };
}
