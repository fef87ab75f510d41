import { type Auth, limits } from '@ccmcp/core';
import type { TokenStore } from '@ccmcp/core/client';
import type { HttpPage, HttpPageRequest } from '@ccmcp/core/http';
import { CallerAuth } from './caller-auth.ts';
import type { CallerCredentials } from './caller-credentials.ts';
import { type Identified, pagePath, PendingSignIns } from './pending-sign-ins.ts';
import type { SharedSignIns } from './shared-sign-ins.ts';

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

/** Lets callers sign in to upstreams with a browser, on pages that the gateway serves. */
export interface SignIns {
  /** The pages, for the option `pages` of `serveHttp`. */
  readonly pages: readonly HttpPage[];
  /** The credentials for an upstream, for the option `credentials` of `remote`. */
  credentials(upstream: { name: string; url: string | URL }): CallerCredentials;
}

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

/** The display name of a caller. */
function nameOf({ principal, id, claims }: Auth): string {
  const { email, preferred_username: name } = (claims ?? {}) as { email?: unknown; preferred_username?: unknown };
  const known = [email, name, id, principal].find((each) => typeof each === 'string' && each !== '');
  return (known as string).slice(0, 200);
}
