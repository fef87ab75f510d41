import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpPageRequest, HttpPageResponse } from '@ccmcp/core/http';
import { digest } from './digest.ts';
import { EndedElsewhere } from './ended-elsewhere.ts';
import type { SharedSignIns } from './shared-sign-ins.ts';
import { toPage } from './sign-in-page.ts';
import { memorySignIns, type SignInRecord, type SignInRecords } from './sign-in-records.ts';
import { SignInRequired } from './sign-in-required.ts';

/** A principal, or what the browser is shown in place of the page; undefined: nobody is logged in. */
export type Identified = string | HttpPageResponse | undefined;

/** The path of the page of a sign-in, below the URL of the gateway. */
export const pagePath = '/sign-in';

/** A sign-in to begin. */
interface NewSignIn extends Pick<SignInRecord, 'caller' | 'principal' | 'upstream' | 'authorization'> {
  readonly authorizationUrl: URL;
  readonly done: Promise<void>;
  /** True if the caller has signed in otherwise. */
  hasNewTokens(): Promise<boolean>;
}

/** A sign-in that this process began, and that nobody has completed. */
interface WaitingSignIn {
  readonly done: Promise<void>;
  /** Completes the sign-in with the URL that the browser was redirected to. */
  finish(redirect: URL): void;
}

/** A pending sign-in, and where it was found. */
interface FoundSignIn {
  readonly id: string;
  readonly record: SignInRecord;
  readonly records: SignInRecords;
}

interface PendingSignInsOptions {
  readonly lifetimeMs: number;
  /** Identifies the person in front of the browser. */
  identify?(request: HttpPageRequest): Identified | Promise<Identified>;
  base(): string;
  /** Those of all instances, if they share them. */
  shared(): SharedSignIns | undefined;
}

/** The pending sign-ins, and their pages. */
export class PendingSignIns {
  readonly #base: () => string;
  readonly #lifetimeMs: number;
  readonly #identify: PendingSignInsOptions['identify'];
  readonly #shared: () => SharedSignIns | undefined;
  readonly #own = memorySignIns();
  readonly #waiting = new Map<string, WaitingSignIn>();

  constructor({ base, lifetimeMs, identify, shared }: PendingSignInsOptions) {
    this.#base = base;
    this.#lifetimeMs = lifetimeMs;
    this.#identify = identify;
    this.#shared = shared;
  }

  async begin({ authorizationUrl, done, hasNewTokens, ...given }: NewSignIn): Promise<{
    required: SignInRequired;
    redirect: Promise<URL>;
    cancel: (reason: Error) => void;
  }> {
    const shared = given.authorization && this.#shared();
    const records = shared ?? this.#own;
    const id = records.idOf(authorizationUrl.searchParams.get('state') ?? '');
    const expiresAt = Date.now() + this.#lifetimeMs;
    const record = { ...given, authorizationUrl: authorizationUrl.href, expiresAt };
    let cancel: (reason: Error) => void = () => {};
    let unsubscribe = (): void => {};
    const redirect = new Promise<URL>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        unsubscribe();
        unsubscribe = () => {};
      };
      cancel = (reason) => {
        end();
        // If the store can't be reached, the record expires.
        void Promise.resolve(records.remove(id)).catch(() => {});
        reject(reason);
      };
      const late = new Error(`Nobody signed in within ${this.#lifetimeMs / 1000} seconds`);
      const timer = setTimeout(() => cancel(late), this.#lifetimeMs);
      timer.unref();
      const finish = (url: URL): void => {
        end();
        resolve(url);
      };
      this.#waiting.set(id, { done, finish });
    });
    // It may end before anybody waits for it.
    redirect.catch(() => {});
    try {
      await records.create(id, record);
      if (shared !== undefined) {
        const cancelIfSignedIn = async (): Promise<void> => {
          if (await hasNewTokens()) cancel(new EndedElsewhere());
        };
        unsubscribe = await shared.subscribe(record, (outcome) => {
          if (outcome?.error === undefined) cancelIfSignedIn().catch(() => {});
          else if (outcome.id === id) cancel(new EndedElsewhere(outcome.error));
        });
        if (!this.#waiting.has(id)) unsubscribe();
        // The tokens may have come before the subscription.
        await cancelIfSignedIn();
        if (!this.#waiting.has(id)) await redirect;
      }
    } catch (error) {
      cancel(error as Error);
      throw error;
    }
    const url = new URL(`.${pagePath}`, this.#base());
    url.searchParams.set('id', id);
    const { name } = given.upstream;
    const message = `The upstream "${name}" needs your login: sign in at ${url.href}`;
    const required = new SignInRequired({ message, url: url.href, id: digest(id), done });
    return { required, redirect, cancel };
  }

  async #find(idIn: (records: SignInRecords) => string): Promise<FoundSignIn | undefined> {
    for (const records of [this.#own, this.#shared()]) {
      if (records === undefined) continue;
      const id = idIn(records);
      const record = await records.get(id, this.#lifetimeMs);
      if (record !== undefined) return { id, record, records };
    }
    return undefined;
  }

  /**
   * Shows who signs in to which upstream. The browser that opened the page can continue to the authorization server.
   */
  async showPage(request: HttpPageRequest): Promise<HttpPageResponse> {
    const { query, header } = request;
    const found = await this.#find(() => query.get('id') ?? '');
    if (found === undefined) return unknownLink();
    const rejection = await this.#rejectOthers(found.record, request);
    if (rejection !== undefined) return rejection;
    const confirmation = query.get('confirm');
    if (confirmation === null) return this.#askFor(found);
    const { browser, authorizationUrl } = found.record;
    if (browser === undefined || !isSame(confirmation, browser.confirmation) || !hasCookie(found, header('cookie'))) {
      return toPage(400, 'This is not the browser that opened the link', ['Open the link of your application again.']);
    }
    return { status: 303, headers: { Location: authorizationUrl } };
  }

  async #askFor({ id, record, records }: FoundSignIn): Promise<HttpPageResponse> {
    const browser = { cookie: randomToken(), confirmation: randomToken() };
    if (!(await records.update(id, { ...record, browser }))) return unknownLink();
    const { caller, upstream } = record;
    const base = new URL(this.#base());
    const isSecure = base.protocol === 'https:' ? '; Secure' : '';
    const lasts = `Max-Age=${Math.ceil(this.#lifetimeMs / 1000)}`;
    const page = toPage(
      200,
      `Sign in to ${upstream.name}`,
      [
        `${caller} wants to use ${upstream.name} (${upstream.url}) through this gateway, with the login that you give there.`,
        `Go on only if you are ${caller}, and asked for this just now. Otherwise close this window.`,
      ],
      { text: `I am ${caller}: go on`, href: `?id=${id}&confirm=${browser.confirmation}` },
    );
    const cookie = `${cookieNameOf(id)}=${browser.cookie}; HttpOnly; SameSite=Lax; Path=/; ${lasts}${isSecure}`;
    return { ...page, headers: { ...page.headers, 'Set-Cookie': cookie } };
  }

  /** Accepts the response of an authorization server, once. */
  async handleRedirect(request: HttpPageRequest): Promise<HttpPageResponse> {
    const { query, header } = request;
    const state = query.get('state') ?? '';
    const found = await this.#find((records) => records.idOf(state));
    if (found === undefined) return unknownSignIn();
    if (!hasCookie(found, header('cookie'))) {
      return toPage(400, 'This is not the browser that opened the link', ['Open the link of your application again.']);
    }
    const { id, record, records } = found;
    const rejection = await this.#rejectOthers(record, request);
    if (rejection !== undefined) return rejection;
    if (!(await records.remove(id))) return unknownSignIn();
    const redirect = new URL(new URL(record.authorizationUrl).searchParams.get('redirect_uri') ?? this.#base());
    redirect.search = query.toString();
    const { name } = record.upstream;
    try {
      await this.#complete(found, redirect);
      return toPage(200, `You are signed in to ${name}`, ['You may close this window.']);
    } catch (error) {
      const { message } = error as Error;
      return toPage(400, `You are not signed in to ${name}`, [message, 'Start again in your application.']);
    }
  }

  /** Completes a sign-in where it began, or else here, and tells the other instances. */
  async #complete({ id, record, records }: FoundSignIn, redirect: URL): Promise<void> {
    const waiting = this.#waiting.get(id);
    const shared = records === this.#own ? undefined : this.#shared();
    // They notice tokens with their next request, too.
    const publish = async (failure?: Error): Promise<void> => {
      const outcome = { id, ...(failure && { error: failure.message }) };
      await shared?.publish(record, outcome).catch(() => {});
    };
    try {
      if (waiting !== undefined) {
        waiting.finish(redirect);
        await waiting.done;
      } else {
        if (shared === undefined || record.authorization === undefined) throw new Error('The sign-in has ended');
        const { completeAuthorization } = await import('@ccmcp/core/client');
        await completeAuthorization(record.authorization, redirect, { store: shared.tokensOf(record.principal) });
      }
    } catch (error) {
      await publish(error as Error);
      throw error;
    }
    await publish();
  }

  /** What anybody but the caller is shown, where that can be told. */
  async #rejectOthers(
    { principal, caller }: SignInRecord,
    request: HttpPageRequest,
  ): Promise<HttpPageResponse | undefined> {
    if (this.#identify === undefined) return undefined;
    const person = await this.#identify(request);
    if (person === principal) return undefined;
    if (typeof person === 'object') return person;
    const advice = person === undefined ? 'Log in, and open the link of your application again.' : 'Close this window.';
    return toPage(403, 'This link is for somebody else', [`Only ${caller} can use it.`, advice]);
  }
}

function unknownLink(): HttpPageResponse {
  return toPage(404, 'This link is no longer valid', ['Start again in your application.']);
}

function unknownSignIn(): HttpPageResponse {
  return toPage(404, 'There is no such sign-in', ['Start again in your application.']);
}

/** A browser may have several pending sign-ins. */
function cookieNameOf(id: string): string {
  return `ccmcp-sign-in-${digest(id).slice(0, 16)}`;
}

function hasCookie({ id, record }: FoundSignIn, header = ''): boolean {
  const start = `${cookieNameOf(id)}=`;
  const value =
    header
      .split(/; */)
      .find((each) => each.startsWith(start))
      ?.slice(start.length) ?? '';
  return record.browser !== undefined && isSame(value, record.browser.cookie);
}

/** Compares secrets in constant time. */
function isSame(one: string, other: string): boolean {
  return other !== '' && timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)));
}

function randomToken(): string {
  return randomBytes(32).toString('base64url');
}
