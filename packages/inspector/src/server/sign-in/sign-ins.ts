import type { HttpAuth } from '@ccmcp/core/client';
import type { Ids } from '../id-generator.ts';
import type { EventLog } from '../log/event-log.ts';
import { Refusal } from '../targets.ts';
import { SignInFlow, type SignInWish } from './sign-in-flow.ts';

const mostFlows = 100;

/** Who has signed in to what, for as long as the inspector runs. */
export class SignIns {
  readonly #log: EventLog;
  readonly #ids: Ids;
  readonly #flows = new Map<string, SignInFlow>();
  readonly #auths = new Map<string, HttpAuth>();

  constructor(log: EventLog, ids: Ids) {
    this.#log = log;
    this.#ids = ids;
  }

  /** Begins to walk through signing in; `signedIn` is told when there is a token. */
  start(wish: SignInWish, signedIn: (auth: HttpAuth) => void): string {
    const [oldest] = this.#flows.keys();
    if (this.#flows.size >= mostFlows && oldest !== undefined) {
      this.#flows.get(oldest)?.cancel();
      this.#flows.delete(oldest);
    }
    const flow = new SignInFlow(this.#log, this.#ids, wish);
    this.#flows.set(flow.id, flow);
    void this.#run(flow, wish.url, signedIn);
    return flow.id;
  }

  async #run(flow: SignInFlow, url: string, signedIn: (auth: HttpAuth) => void): Promise<void> {
    const auth = await flow.run();
    if (auth === undefined) return;
    this.#auths.set(keyOf(url), auth);
    signedIn(auth);
  }

  flow(id: string): SignInFlow {
    const flow = this.#flows.get(id);
    if (flow === undefined) throw new Refusal('There is no such sign-in', undefined, 404);
    return flow;
  }

  /** What was got by signing in to a server. */
  authFor(url: string): HttpAuth | undefined {
    return this.#auths.get(keyOf(url));
  }

  signOut(url: string): void {
    this.#auths.delete(keyOf(url));
  }

  close(): void {
    for (const flow of this.#flows.values()) flow.cancel();
  }
}

function keyOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
