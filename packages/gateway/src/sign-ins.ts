import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Auth, limits } from '@ccmcp/core';
import type {
  AuthorizedRequest,
  HttpAuth,
  PendingAuthorization,
  RejectedRequest,
  StoredGrant,
  TokenKey,
  TokenStore,
} from '@ccmcp/core/client';
import type { HttpPage, HttpPageRequest, HttpPageResponse } from '@ccmcp/core/http';
import type { SharedSignIns } from './shared-sign-ins.ts';
import { memorySignIns, type SignInRecord, type SignInRecords } from './sign-in-records.ts';
import { SignInRequired } from './sign-in-required.ts';

/** Credentials per caller for an upstream. */
export interface CallerCredentials {
  /** Authorizes requests for a caller. Called once per active caller; undefined: no credentials are possible. */
  authFor(caller: Auth): HttpAuth | undefined;
}

/** Options of `signIns`. */
export interface SignInOptions {
  /** The public URL of the gateway's endpoint; the pages are beside it. A function if it is known later. */
  url: string | (() => string);
  /** Where the tokens of one caller are stored, for all upstreams. `sharedTokens` also shares the sign-ins. */
  storeFor: StoreFor;
  /** The display name of the gateway. Default: `MCP gateway`. */
  clientName?: string;
  /** The timeout of a sign-in. Default: 10 minutes. */
  signInMs?: number;
  /**
   * Identifies the person in front of the browser, such as by the cookie of your own login: returns their principal, or a
   * response such as a redirect to the page of that login. A sign-in then continues only for its own caller.
   */
  identify?(request: HttpPageRequest): Identified | Promise<Identified>;
}

/** Returns the token store of a caller. */
type StoreFor = ((caller: Auth) => TokenStore) & { signIns?: SharedSignIns };

/** A principal, or what the browser is shown in place of the page; undefined: nobody is logged in. */
type Identified = string | HttpPageResponse | undefined;

/** Lets callers sign in to upstreams with a browser, on pages that the gateway serves. */
export interface SignIns {
  /** The pages, for the option `pages` of `serveHttp`. */
  readonly pages: readonly HttpPage[];
  /** The credentials for an upstream, for the option `credentials` of `remote`. */
  credentials(upstream: { name: string; url: string | URL }): CallerCredentials;
}

const pagePath = '/sign-in';
const callbackPath = '/sign-in/callback';

/**
 * Creates sign-ins by authorization code and PKCE. A sign-in belongs to one caller and one upstream, continues only in
 * the browser that opened its page, and ends with its first answer or a timeout. With `sharedTokens`, any instance serves
 * its pages.
 */
export function signIns(options: SignInOptions): SignIns {
  const base = (): string => (typeof options.url === 'string' ? options.url : options.url());
  const pending = new PendingSignIns({
    base,
    lifetimeMs: options.signInMs ?? limits.gateway.signInMs.value,
    shared: () => options.storeFor.signIns,
    ...(options.identify && { identify: (request) => options.identify?.(request) }),
  });
  const paths = (path: string): string[] => {
    // A proxy may or may not have removed the prefix of the public path.
    const isKnown = typeof options.url === 'string';
    return [...new Set([path, ...(isKnown ? [new URL(`.${path}`, base()).pathname] : [])])];
  };
  return {
    pages: [
      ...paths(pagePath).map((path) => ({ path, get: (request: HttpPageRequest) => pending.showPage(request) })),
      ...paths(callbackPath).map((path) => ({
        path,
        get: (request: HttpPageRequest) => pending.handleRedirect(request),
      })),
    ],
    credentials: ({ name, url }) => ({
      authFor: (caller) =>
        new CallerAuth({
          caller: nameOf(caller),
          principal: caller.principal,
          upstream: { name, url: String(url) },
          pending,
          callback: () => new URL(`.${callbackPath}`, base()).href,
          store: options.storeFor(caller),
          clientName: options.clientName ?? 'MCP gateway',
        }),
    }),
  };
}

interface CallerAuthOptions {
  /** The display name of the caller. */
  readonly caller: string;
  readonly principal: string;
  readonly upstream: { name: string; url: string };
  readonly pending: PendingSignIns;
  readonly store: TokenStore;
  readonly clientName: string;
  /** The redirect URL. */
  callback(): string;
}

/**
 * Authorizes the requests to one upstream with tokens of one caller. Until the caller has signed in, requests fail with
 * an error that says so.
 */
class CallerAuth implements HttpAuth {
  readonly #options: CallerAuthOptions;
  #auth: HttpAuth | undefined;
  /** The rejection in progress, which ends when the caller has signed in. */
  #handling: Promise<boolean> | undefined;
  #required: SignInRequired | undefined;
  #cancel: ((reason: Error) => void) | undefined;
  readonly #store: WatchedStore;
  readonly #waiting = new Set<(required: SignInRequired) => void>();

  constructor(options: CallerAuthOptions) {
    this.#options = options;
    this.#store = new WatchedStore(options.store);
  }

  async headers(request: AuthorizedRequest): Promise<Record<string, string>> {
    await this.#assertNotRequired();
    return (await this.#inner()).headers(request);
  }

  async unauthorized(response: RejectedRequest): Promise<boolean> {
    await this.#assertNotRequired();
    this.#handling ??= this.#inner()
      .then((inner) => this.#handle(inner, response))
      .finally(() => {
        this.#handling = undefined;
        this.#required = undefined;
      });
    const handling = this.#handling;
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      handling.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /** Handles a rejected request; again with the tokens of another instance, if the caller has signed in there. */
  async #handle(inner: HttpAuth, response: RejectedRequest): Promise<boolean> {
    try {
      return await inner.unauthorized(response);
    } catch (error) {
      if (!(error instanceof EndedElsewhere)) throw error;
      if (error.isSignedIn) return inner.unauthorized(response);
      // The authorization server may not know its client any more.
      this.#auth = undefined;
      throw error;
    }
  }

  /** Created on demand: the gateway's own URL may be known later than its upstreams. */
  async #inner(): Promise<HttpAuth> {
    if (this.#auth !== undefined) return this.#auth;
    const { oauth } = await import('@ccmcp/core/client');
    const { callback, clientName } = this.#options;
    this.#auth ??= oauth({
      redirectUrl: callback(),
      redirectFor: (issuer) => `${callback()}?from=${digest(issuer)}`,
      authorize: (url, authorization) => this.#authorize(url, authorization),
      store: this.#store,
      clientName,
    });
    return this.#auth;
  }

  /** Throws while the caller has to sign in. They may have done so at another instance of the gateway. */
  async #assertNotRequired(): Promise<void> {
    const required = this.#required;
    if (required === undefined) return;
    if (!(await this.#store.hasNewTokens())) throw required;
    this.#cancel?.(new EndedElsewhere());
    await this.#handling?.catch(() => false);
  }

  async #authorize(url: URL, authorization: PendingAuthorization | undefined): Promise<URL> {
    const { caller, principal, upstream, pending } = this.#options;
    const done = assertSignedIn(this.#handling as Promise<boolean>);
    // An unhandled rejection is fine here.
    done.catch(() => {});
    const { required, redirect, cancel } = await pending.begin({
      caller,
      principal,
      upstream,
      authorizationUrl: url,
      ...(authorization && { authorization }),
      done,
      hasNewTokens: () => this.#store.hasNewTokens(),
    });
    this.#required = required;
    this.#cancel = cancel;
    for (const reject of this.#waiting) reject(required);
    return redirect;
  }
}

/** The reason why a sign-in ends here: it has succeeded or failed at another instance. */
class EndedElsewhere extends Error {
  readonly isSignedIn: boolean;

  constructor(failure?: string) {
    super(failure ?? 'The caller has signed in at another instance');
    this.isSignedIn = failure === undefined;
  }
}

/** A token store that notices tokens of another instance. */
class WatchedStore implements TokenStore {
  readonly exclusively?: NonNullable<TokenStore['exclusively']>;
  readonly #store: TokenStore;
  /** The last key that was read, and the access token that was there. */
  #last: { key: TokenKey; accessToken: string | undefined } | undefined;

  constructor(store: TokenStore) {
    this.#store = store;
    if (store.exclusively !== undefined) this.exclusively = (key, act) => exclusively(store, key, act);
  }

  async get(key: TokenKey): Promise<StoredGrant | undefined> {
    const grant = await this.#store.get(key);
    this.#last = { key, accessToken: grant?.tokens?.accessToken };
    return grant;
  }

  set(key: TokenKey, grant: StoredGrant): void | Promise<void> {
    return this.#store.set(key, grant);
  }

  delete(key: TokenKey): void | Promise<void> {
    return this.#store.delete(key);
  }

  /** True if there are other tokens than when they were last read. */
  async hasNewTokens(): Promise<boolean> {
    if (this.#last === undefined) return false;
    const { key, accessToken } = this.#last;
    const now = (await this.#store.get(key))?.tokens?.accessToken;
    return now !== undefined && now !== accessToken;
  }
}

function exclusively<T>(store: TokenStore, key: TokenKey, act: () => Promise<T>): Promise<T> {
  return store.exclusively?.(key, act) ?? act();
}

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

interface PendingSignInsOptions extends Pick<SignInOptions, 'identify'> {
  readonly lifetimeMs: number;
  base(): string;
  /** Those of all instances, if they share them. */
  shared(): SharedSignIns | undefined;
}

/** The pending sign-ins, and their pages. */
class PendingSignIns {
  readonly #base: () => string;
  readonly #lifetimeMs: number;
  readonly #identify: SignInOptions['identify'];
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

async function assertSignedIn(handling: Promise<boolean>): Promise<void> {
  if (!(await handling)) throw new Error('The authorization server gave no token that the upstream accepts');
}

/** The display name of a caller. */
function nameOf({ principal, id, claims }: Auth): string {
  const { email, preferred_username: name } = (claims ?? {}) as { email?: unknown; preferred_username?: unknown };
  const known = [email, name, id, principal].find((each) => typeof each === 'string' && each !== '');
  return (known as string).slice(0, 200);
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

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A page without scripts and styles. */
function toPage(
  status: number,
  title: string,
  paragraphs: readonly string[],
  link?: { text: string; href: string },
): HttpPageResponse {
  const anchor = link === undefined ? '' : `<p><a href="${escape(link.href)}">${escape(link.text)}</a></p>`;
  const body = paragraphs.map((text) => `<p>${escape(text)}</p>`).join('\n');
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>
<h1>${escape(title)}</h1>
${body}
${anchor}</html>
`,
  };
}

function escape(text: string): string {
  return text.slice(0, 1000).replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}
