import type {
  AuthorizedRequest,
  HttpAuth,
  PendingAuthorization,
  RejectedRequest,
  TokenStore,
} from '@ccmcp/core/client';
import { digest } from './digest.ts';
import { EndedElsewhere } from './ended-elsewhere.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import type { SignInRequired } from './sign-in-required.ts';
import { WatchedStore } from './watched-store.ts';

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
export class CallerAuth implements HttpAuth {
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

async function assertSignedIn(handling: Promise<boolean>): Promise<void> {
  if (!(await handling)) throw new Error('The authorization server gave no token that the upstream accepts');
}
