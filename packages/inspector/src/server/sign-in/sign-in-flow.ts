import { AuthError, type HttpAuth, loopbackAuthorize, memoryTokenStore, oauth, type HttpTap } from '@ccmcp/core/client';
import type { SignInState, SignInStep, SignInStepName } from '../../shared/diagnostics.ts';
import { type ExchangeResult, Exchanges } from '../connections/exchanges.ts';
import type { EventLog, IdGenerator } from '../log/event-log.ts';
import { maskUrl } from '@ccmcp/core/recording';
import { adviceFor, authorizationFacts, responseFacts, stepOf } from './sign-in-steps.ts';

/** Options of a sign-in. */
export interface SignInOptions {
  readonly url: string;
  readonly connection?: string;
  /** Headers sent in addition to the token. */
  readonly headers: Record<string, string>;
  /** True: pauses before each step until `next`. */
  readonly steps?: boolean;
  readonly scope?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

type Progress = { -readonly [Name in keyof SignInStep]: SignInStep[Name] };

/** One OAuth flow: logs every request, and can pause before each step. */
export class SignInFlow {
  readonly id: string;
  readonly #log: EventLog;
  readonly #options: SignInOptions;
  readonly #exchanges: Exchanges;
  readonly #stop = new AbortController();
  readonly #steps = new Map<SignInStepName, Progress>();
  #current: SignInStepName = 'challenge';
  #metadataUrl: string | undefined;
  #resume: (() => void) | undefined;
  #isDone = false;

  constructor(log: EventLog, ids: IdGenerator, options: SignInOptions) {
    this.id = ids.next('f');
    this.#log = log;
    this.#options = options;
    const { connection } = options;
    this.#exchanges = new Exchanges(log, ids, {
      owner: { flow: this.id, ...(connection !== undefined && { connection }) },
      ready: (request, exchange) => {
        const step = stepOf(request, this.#metadataUrl);
        return this.#enter(step).then(() => this.#updateStep(step, { exchange }));
      },
      ended: (request, _, answer) => this.#onExchangeEnd(stepOf(request, this.#metadataUrl), answer),
    });
  }

  /** Continues with the next step. */
  next(): void {
    this.#resume?.();
  }

  cancel(): void {
    this.#stop.abort(new Error('Signing in was cancelled'));
  }

  /** Runs the flow and tries the token. Returns the credentials; undefined if none are needed. */
  async run(): Promise<HttpAuth | undefined> {
    const { url, headers } = this.#options;
    const { tap } = this.#exchanges;
    this.#setStatus('running');
    try {
      const first = await sendRequest(url, { method: 'POST', headers, tap, about: 'messages' });
      this.#metadataUrl = /resource_metadata="([^"]+)"/.exec(first.challenge ?? '')?.[1];
      const isWanted = first.status === 401 || first.status === 403 || (await this.#hasMetadata());
      if (!isWanted) {
        this.#updateStep('challenge', {
          status: 'ok',
          message: `Access is public (${first.status}): no sign-in is required`,
        });
        this.#setStatus('done');
        return undefined;
      }
      const auth = this.#auth();
      const wwwAuthenticate = first.challenge;
      const isGot = await auth.unauthorized({ status: 401, url, wwwAuthenticate });
      if (!isGot) throw new AuthError('refused', 'No token was issued');
      await this.#useToken(auth);
      this.#isDone = true;
      this.#setStatus('done');
      return auth;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async #useToken(auth: HttpAuth): Promise<void> {
    const { url, headers } = this.#options;
    const own = await auth.headers({ url, method: 'POST' });
    const { status } = await sendRequest(url, {
      method: 'POST',
      headers: { ...headers, ...own },
      tap: this.#exchanges.tap,
      about: 'messages',
    });
    if (status !== 401 && status !== 403) {
      this.#updateStep('use', { status: 'ok', message: `The server accepts the token (${status})` });
      return;
    }
    throw new AuthError('refused', `The server rejects the token that it asked for (${status})`);
  }

  #auth(): HttpAuth {
    const { scope, clientId, clientSecret } = this.#options;
    const loopback = loopbackAuthorize({ open: (page) => this.#setStatus('waiting', page), signal: this.#stop.signal });
    return oauth({
      ...loopback,
      clientName: 'ccmcp inspector',
      tap: this.#exchanges.tap,
      store: memoryTokenStore(),
      ...(scope !== undefined && { scope }),
      ...(clientId !== undefined && { client: { id: clientId, secret: clientSecret } }),
      authorize: async (page) => {
        await this.#enter('authorization');
        this.#updateStep('authorization', {
          message: 'The user signs in at this page',
          facts: authorizationFacts(page),
        });
        const back = await loopback.authorize(page);
        this.#updateStep('authorization', { status: 'ok', message: 'The user came back with a code' });
        this.#setStatus(this.#isDone ? 'done' : 'running');
        return back;
      },
    });
  }

  /** Some servers accept tokens without requiring them: their metadata says so. */
  async #hasMetadata(): Promise<boolean> {
    const { origin, pathname } = new URL(this.#options.url);
    const place = '/.well-known/oauth-protected-resource';
    for (const path of new Set([`${place}${pathname.replace(/\/$/, '')}`, place])) {
      const { tap } = this.#exchanges;
      const { status, body } = await sendRequest(`${origin}${path}`, {
        method: 'GET',
        headers: {},
        tap,
        about: 'sign-in',
      });
      if (status === 200 && body.includes('"authorization_servers"')) return true;
    }
    return false;
  }

  /** Enters a step; in step-by-step mode, waits for the user. */
  async #enter(step: SignInStepName): Promise<void> {
    this.#stop.signal.throwIfAborted();
    if (this.#options.steps === true && !this.#steps.has(step) && step !== 'challenge') {
      this.#current = step;
      this.#setStatus('ready');
      await new Promise<void>((resolve, reject) => {
        this.#resume = resolve;
        this.#stop.signal.addEventListener('abort', () => reject(this.#stop.signal.reason as Error), { once: true });
      });
      this.#setStatus('running');
    }
    this.#current = step;
    if (!this.#steps.has(step)) this.#updateStep(step, {});
  }

  #onExchangeEnd(step: SignInStepName, { status, body, challenge }: ExchangeResult): void {
    if (status === undefined) return this.#updateStep(step, { status: 'wrong', message: 'No answer came' });
    if (step === 'challenge' || step === 'use') {
      const facts = challenge === undefined ? [] : [['WWW-Authenticate', challenge] as const];
      const isRight = step === 'challenge' || (status !== 401 && status !== 403);
      return this.#updateStep(step, {
        status: isRight ? 'ok' : 'wrong',
        message: `The server answered ${status}`,
        facts,
      });
    }
    const isRight = status >= 200 && status < 300;
    const message = isRight ? `Found (${status})` : `The answer is ${status}`;
    // Metadata may be at several URLs: one miss decides nothing.
    const isOneOfSeveral = !isRight && (step === 'resource-metadata' || step === 'server-metadata');
    this.#updateStep(step, {
      status: isRight ? 'ok' : isOneOfSeveral ? 'running' : 'wrong',
      message,
      facts: responseFacts(step, body),
    });
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return this.#setStatus('cancelled');
    const message = error instanceof Error ? error.message : String(error);
    this.#updateStep(this.#current, { status: 'wrong', message, advice: adviceFor(error, this.#current) });
    this.#setStatus('failed');
  }

  #updateStep(step: SignInStepName, { exchange, ...update }: Partial<Progress> & { exchange?: string }): void {
    const before = this.#steps.get(step) ?? {
      flow: this.id,
      step,
      status: 'running',
      message: '',
      facts: [],
      exchanges: [],
    };
    const facts = update.facts === undefined || update.facts.length === 0 ? before.facts : update.facts;
    const exchanges = exchange === undefined ? before.exchanges : [...before.exchanges, exchange];
    const after: Progress = { ...before, ...update, facts, exchanges };
    this.#steps.set(step, after);
    this.#log.add('sign-in-step', after);
  }

  #setStatus(status: SignInState['status'], open?: string): void {
    const { url, connection } = this.#options;
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

const timeoutMs = 10_000;
const maxLength = 65_536;

/** Response to a request. */
interface RequestResult {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly body: string;
}

/** Sends one message or fetches one document, without following redirects; the tap observes it. */
async function sendRequest(
  url: string,
  {
    method,
    headers,
    tap,
    about,
  }: { method: 'GET' | 'POST'; headers: Record<string, string>; tap: HttpTap; about: 'messages' | 'sign-in' },
): Promise<RequestResult> {
  const body = method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' }) : undefined;
  const sent = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    Accept: method === 'POST' ? 'application/json, text/event-stream' : 'application/json',
    ...headers,
  };
  const watch = tap.request({ method, url, headers: sent, body, about });
  try {
    await watch?.ready;
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { method, headers: sent, redirect: 'manual', signal, ...(body && { body }) });
    watch?.response({ status: answer.status, statusText: answer.statusText, headers: [...answer.headers] });
    const text = await readStart(answer);
    watch?.data(text);
    watch?.end();
    return { status: answer.status, challenge: answer.headers.get('www-authenticate') ?? undefined, body: text };
  } catch (error) {
    watch?.end(error);
    throw error;
  }
}

/** Reads the start of a response: a stream may never end. */
async function readStart(answer: Response): Promise<string> {
  if (answer.body === null) return '';
  const decoder = new TextDecoder();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let text = '';
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= maxLength || (isStream && text.includes('\n\n'))) break;
  }
  return text.slice(0, maxLength);
}
