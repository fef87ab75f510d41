import type { HttpAuth } from '@ccmcp/core/client';
import type { EventLog, IdGenerator } from '../log/event-log.ts';
import { RequestError } from '../targets.ts';
import { SignInFlow, type SignInOptions } from './sign-in-flow.ts';

const maxFlows = 100;

/** Sign-ins of this run of the inspector. */
export class SignIns {
  readonly #log: EventLog;
  readonly #ids: IdGenerator;
  readonly #flows = new Map<string, SignInFlow>();
  readonly #auths = new Map<string, HttpAuth>();

  constructor(log: EventLog, ids: IdGenerator) {
    this.#log = log;
    this.#ids = ids;
  }

  /** Starts a sign-in; calls `signedIn` with the credentials. */
  start(options: SignInOptions, signedIn: (auth: HttpAuth) => void): string {
    const [oldest] = this.#flows.keys();
    if (this.#flows.size >= maxFlows && oldest !== undefined) {
      this.#flows.get(oldest)?.cancel();
      this.#flows.delete(oldest);
    }
    const flow = new SignInFlow(this.#log, this.#ids, options);
    this.#flows.set(flow.id, flow);
    void this.#run(flow, options.url, signedIn);
    return flow.id;
  }

  async #run(flow: SignInFlow, url: string, signedIn: (auth: HttpAuth) => void): Promise<void> {
    const auth = await flow.run();
    if (auth === undefined) return;
    this.#auths.set(urlKey(url), auth);
    signedIn(auth);
  }

  flow(id: string): SignInFlow {
    const flow = this.#flows.get(id);
    if (flow === undefined) throw new RequestError('Unknown sign-in', undefined, 404);
    return flow;
  }

  /** Credentials of a server. */
  authFor(url: string): HttpAuth | undefined {
    return this.#auths.get(urlKey(url));
  }

  signOut(url: string): void {
    this.#auths.delete(urlKey(url));
  }

  close(): void {
    for (const flow of this.#flows.values()) flow.cancel();
  }
}

function urlKey(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
