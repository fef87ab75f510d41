import { AuthError, type HttpAuth, loopbackAuthorize, memoryTokenStore, oauth } from '@ccmcp/core/client';
import type { SignInState, SignInStep, SignInStepName } from '../../shared/diagnostics.ts';
import { type EndedAnswer, Exchanges } from '../connections/exchanges.ts';
import type { Ids } from '../id-generator.ts';
import type { EventLog } from '../log/event-log.ts';
import { maskUrl } from '../secrets.ts';
import { adviceOn } from './sign-in-steps.ts';
import { ask } from './send-request.ts';
import { factsIn, factsOfPage, stepOf } from './sign-in-steps.ts';

/** How somebody signs in. */
export interface SignInWish {
  readonly url: string;
  readonly connection?: string;
  /** Headers that the server gets beside a token. */
  readonly headers: Record<string, string>;
  /** True: stops before each step until it is told to go on. */
  readonly steps?: boolean;
  readonly scope?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

type Progress = { -readonly [Name in keyof SignInStep]: SignInStep[Name] };

/** One walk through signing in: every request of it is seen, and may be waited for. */
export class SignInFlow {
  readonly id: string;
  readonly #log: EventLog;
  readonly #wish: SignInWish;
  readonly #exchanges: Exchanges;
  readonly #stop = new AbortController();
  readonly #steps = new Map<SignInStepName, Progress>();
  #current: SignInStepName = 'challenge';
  #announced: string | undefined;
  #goOn: (() => void) | undefined;
  #isDone = false;

  constructor(log: EventLog, ids: Ids, wish: SignInWish) {
    this.id = ids.next('f');
    this.#log = log;
    this.#wish = wish;
    const { connection } = wish;
    this.#exchanges = new Exchanges(log, ids, {
      owner: { flow: this.id, ...(connection !== undefined && { connection }) },
      ready: (request, exchange) => {
        const step = stepOf(request, this.#announced);
        return this.#enter(step).then(() => this.#tell(step, { exchange }));
      },
      ended: (request, _, answer) => this.#seen(stepOf(request, this.#announced), answer),
    });
  }

  /** Lets the next step be taken. */
  next(): void {
    this.#goOn?.();
  }

  cancel(): void {
    this.#stop.abort(new Error('Signing in was given up'));
  }

  /** Walks to a token, and tries it. Gives what authorizes requests from then on; undefined where that is not needed. */
  async run(): Promise<HttpAuth | undefined> {
    const { url, headers } = this.#wish;
    const { tap } = this.#exchanges;
    this.#say('running');
    try {
      const first = await ask(url, { method: 'POST', headers, tap, about: 'messages' });
      this.#announced = /resource_metadata="([^"]+)"/.exec(first.challenge ?? '')?.[1];
      const isWanted = first.status === 401 || first.status === 403 || (await this.#hasMetadata());
      if (!isWanted) {
        this.#tell('challenge', {
          status: 'ok',
          says: `Anybody is let in (${first.status}): there is nothing to sign in to`,
        });
        this.#say('done');
        return undefined;
      }
      const auth = this.#auth();
      const wwwAuthenticate = first.challenge;
      const isGot = await auth.unauthorized({ status: 401, url, wwwAuthenticate });
      if (!isGot) throw new AuthError('refused', 'No token could be had');
      await this.#tryIt(auth);
      this.#isDone = true;
      this.#say('done');
      return auth;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async #tryIt(auth: HttpAuth): Promise<void> {
    const { url, headers } = this.#wish;
    const own = await auth.headers({ url, method: 'POST' });
    const { status } = await ask(url, {
      method: 'POST',
      headers: { ...headers, ...own },
      tap: this.#exchanges.tap,
      about: 'messages',
    });
    if (status !== 401 && status !== 403) {
      this.#tell('use', { status: 'ok', says: `The server takes the token (${status})` });
      return;
    }
    throw new AuthError('refused', `The server does not take the token that it asked for (${status})`);
  }

  #auth(): HttpAuth {
    const { scope, clientId, clientSecret } = this.#wish;
    const loopback = loopbackAuthorize({ open: (page) => this.#say('waiting', page), signal: this.#stop.signal });
    return oauth({
      ...loopback,
      clientName: 'ccmcp inspector',
      tap: this.#exchanges.tap,
      store: memoryTokenStore(),
      ...(scope !== undefined && { scope }),
      ...(clientId !== undefined && { client: { id: clientId, secret: clientSecret } }),
      authorize: async (page) => {
        await this.#enter('authorization');
        this.#tell('authorization', { says: 'A person signs in at this page', facts: factsOfPage(page) });
        const back = await loopback.authorize(page);
        this.#tell('authorization', { status: 'ok', says: 'The person came back with a code' });
        this.#say(this.#isDone ? 'done' : 'running');
        return back;
      },
    });
  }

  /** Some servers let anybody in, and tokens too: their metadata say so. */
  async #hasMetadata(): Promise<boolean> {
    const { origin, pathname } = new URL(this.#wish.url);
    const place = '/.well-known/oauth-protected-resource';
    for (const path of new Set([`${place}${pathname.replace(/\/$/, '')}`, place])) {
      const { tap } = this.#exchanges;
      const { status, body } = await ask(`${origin}${path}`, { method: 'GET', headers: {}, tap, about: 'sign-in' });
      if (status === 200 && body.includes('"authorization_servers"')) return true;
    }
    return false;
  }

  /** A step begins; where each is waited for, when the person says so. */
  async #enter(step: SignInStepName): Promise<void> {
    this.#stop.signal.throwIfAborted();
    if (this.#wish.steps === true && !this.#steps.has(step) && step !== 'challenge') {
      this.#current = step;
      this.#say('ready');
      await new Promise<void>((resolve, reject) => {
        this.#goOn = resolve;
        this.#stop.signal.addEventListener('abort', () => reject(this.#stop.signal.reason as Error), { once: true });
      });
      this.#say('running');
    }
    this.#current = step;
    if (!this.#steps.has(step)) this.#tell(step, {});
  }

  #seen(step: SignInStepName, { status, body, challenge }: EndedAnswer): void {
    if (status === undefined) return this.#tell(step, { status: 'wrong', says: 'No answer came' });
    if (step === 'challenge' || step === 'use') {
      const facts = challenge === undefined ? [] : [['WWW-Authenticate', challenge] as const];
      const isRight = step === 'challenge' || (status !== 401 && status !== 403);
      return this.#tell(step, { status: isRight ? 'ok' : 'wrong', says: `The server answered ${status}`, facts });
    }
    const isRight = status >= 200 && status < 300;
    const says = isRight ? `Found (${status})` : `The answer is ${status}`;
    // Metadata may be at several places: one that has none says nothing yet.
    const isOneOfSeveral = !isRight && (step === 'resource-metadata' || step === 'server-metadata');
    this.#tell(step, {
      status: isRight ? 'ok' : isOneOfSeveral ? 'running' : 'wrong',
      says,
      facts: factsIn(step, body),
    });
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return this.#say('cancelled');
    const says = error instanceof Error ? error.message : String(error);
    this.#tell(this.#current, { status: 'wrong', says, advice: adviceOn(error, this.#current) });
    this.#say('failed');
  }

  #tell(step: SignInStepName, { exchange, ...news }: Partial<Progress> & { exchange?: string }): void {
    const before = this.#steps.get(step) ?? {
      flow: this.id,
      step,
      status: 'running',
      says: '',
      facts: [],
      exchanges: [],
    };
    const facts = news.facts === undefined || news.facts.length === 0 ? before.facts : news.facts;
    const exchanges = exchange === undefined ? before.exchanges : [...before.exchanges, exchange];
    const after: Progress = { ...before, ...news, facts, exchanges };
    this.#steps.set(step, after);
    this.#log.add('sign-in-step', after);
  }

  #say(status: SignInState['status'], open?: string): void {
    const { url, connection } = this.#wish;
    this.#log.add('sign-in', {
      flow: this.id,
      url: maskUrl(url),
      ...(connection !== undefined && { connection }),
      status,
      step: this.#current,
      ...(open !== undefined && { open }),
    });
  }
}
