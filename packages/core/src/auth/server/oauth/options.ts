import { limits } from '../../../limits.ts';
import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';
import type { Auth } from '../../../server/exchange.ts';
import { sanitize } from '../../auth-error.ts';
import type { ClientKey } from '../../client-identity.ts';
import { isLoopback } from '../../loopback-url.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';
import { type SignatureAlgorithm, signatureAlgorithms, defaultAlgorithms } from './algorithms.ts';

/** What an authorization server says of a token, by name. */
export type OAuthClaims = Readonly<Record<string, unknown>>;

/** Somebody who was let in by a token. */
export interface OAuthCaller extends Auth {
  /** Issuer and subject, or issuer and client where a program calls for itself: what state is bound to. */
  readonly principal: string;
  /** The same, unless `principal` names the caller otherwise. */
  readonly id: string;
  readonly issuer: string;
  /** Absent where a program calls for itself, and its authorization server names no subject. */
  readonly subject?: string;
  readonly clientId?: string;
  /** What the token allows, with all that this implies. */
  readonly scopes: readonly string[];
  readonly claims: OAuthClaims;
  /** When the token ends, in milliseconds as `Date.now()` counts; absent where nobody says. */
  readonly expiresAt?: number;
  /** The token itself, where `exposeToken` says so. */
  readonly token?: string;
}

/** How this server asks an authorization server about tokens that can't be read here. */
export interface IntrospectionOptions {
  /** Who this server is there. */
  clientId: string;
  /** This, or a `privateKey`. */
  clientSecret?: string;
  privateKey?: ClientKey;
  /** Where to ask. Default: what the metadata of the issuer says. */
  endpoint?: string;
  /** Whom to ask, where there are several issuers. Default: the first. */
  issuer?: string;
}

/** What is done about tokens that are bound to a key of their client. */
export interface DpopOptions {
  /** `accept`: other tokens are good too; `require`: they are not. */
  use: 'accept' | 'require';
  /** True: each proof must have a nonce of ours. Several instances need the same secret: give one of 32 characters or more. */
  nonce?: boolean | { secret: string };
  /**
   * Who remembers proofs so that none is used twice: the `store` of the endpoint, for all instances and workers that share it;
   * this `process` alone; `off`: nobody, and a proof is good for five minutes. Default: `store`.
   */
  replay?: 'process' | 'store' | 'off';
}

/** What a function that names callers says of one; undefined: this one may not use the server, whatever the token. */
export type NamedCaller = { id?: string; scopes?: readonly string[] } | undefined;

/** Whose tokens let callers in, and what else is wanted of them. */
export interface OAuthOptions {
  /**
   * The issuers whose tokens count, exactly as they name themselves. A function decides about more, such as those of tenants: it
   * must know who may issue tokens for this server.
   */
  issuer: IssuerRule | readonly IssuerRule[];
  /**
   * For whom a token must be made. Default: the `resource` of the endpoint. `any`, alone or beside others, takes answers of the
   * introspection endpoint that don't say for whom.
   */
  audience?: string | readonly string[];
  /** What each token must allow at least. */
  scopes?: readonly string[];
  /** True: only tokens that say that they are access tokens (`at+jwt`). */
  strict?: boolean;
  /** How far the clock of an issuer may be off ours. Default: 30 000. */
  leewayMs?: number;
  /** For how long a token that was checked is not checked again. 0: each time. Default: 60 000. */
  revalidateMs?: number;
  /** How to ask about tokens that can't be read here. Default: they are refused. */
  introspection?: IntrospectionOptions;
  /** Tokens that are bound to a key (RFC 9449). Default: `off`, and such a token is refused. */
  dpop?: 'off' | DpopOptions['use'] | DpopOptions;
  /** True: who has no token is served too, as nobody. */
  anonymous?: boolean;
  /**
   * How a host learns that a tool needs more: by an HTTP answer, in the result of the tool, or as the user agent suggests.
   * Default: `http`.
   */
  challenge?: 'http' | 'result' | 'auto';
  /** Names callers, or says what they may do, by their claims; undefined keeps one out. */
  principal?: (claims: OAuthClaims) => Awaitable<NamedCaller>;
  /** Scopes that imply others, such as `{ admin: ['read', 'write'] }`. */
  implies?: Readonly<Record<string, readonly string[]>>;
  /** Ways of signing that count. Default: RS256, PS256, ES256, ES384, EdDSA and Ed25519. */
  algorithms?: readonly SignatureAlgorithm[];
  /** True: handlers get the token as `context.auth.token`. It must not be passed on: it was made for this server alone. */
  exposeToken?: boolean;
  /**
   * How many tokens that an issuer does not know an address may send within 10 seconds before the issuer is asked about no more
   * from there for a while. Default: 100.
   */
  maxRefusals?: number;
  /** The name of this server for people, in its metadata. */
  name?: string;
  /** A page about this server, in its metadata. */
  documentation?: string;
  /** Sends the requests to authorization servers. Default: Node's HTTP, or the global `fetch` where there is none. */
  fetch?: typeof fetch;
}

/** The endpoint that tokens are for. */
export interface OAuthEndpoint extends ProtectedEndpoint {
  readonly resource: string;
}

/** An issuer, or who decides about issuers. */
export type IssuerRule = string | ((issuer: string) => boolean);

/** The options, checked, with all that is left out filled in. */
export interface OAuthSettings {
  readonly issuers: readonly string[];
  readonly trusts: readonly ((issuer: string) => boolean)[];
  /** Undefined: the resource of the endpoint. */
  readonly audiences: readonly string[] | undefined;
  readonly anyAudience: boolean;
  readonly scopes: readonly string[];
  readonly strict: boolean;
  readonly leewayMs: number;
  readonly revalidateMs: number;
  readonly introspection: (IntrospectionOptions & { issuer: string }) | undefined;
  readonly dpop: 'off' | 'accept' | 'require';
  readonly nonce: boolean | { secret: string };
  readonly replay: 'process' | 'store' | 'off';
  readonly anonymous: boolean;
  readonly challenge: 'http' | 'result' | 'auto';
  readonly principal: OAuthOptions['principal'];
  readonly implies: Readonly<Record<string, readonly string[]>>;
  readonly algorithms: readonly SignatureAlgorithm[];
  readonly exposeToken: boolean;
  readonly maxRefusals: number;
  readonly name: string | undefined;
  readonly documentation: string | undefined;
  readonly fetch: typeof fetch | undefined;
}

const optionNames = Object.keys({
  issuer: true,
  audience: true,
  scopes: true,
  strict: true,
  leewayMs: true,
  revalidateMs: true,
  introspection: true,
  dpop: true,
  anonymous: true,
  challenge: true,
  principal: true,
  implies: true,
  algorithms: true,
  exposeToken: true,
  maxRefusals: true,
  name: true,
  documentation: true,
  fetch: true,
} satisfies Record<keyof OAuthOptions, true>);
const introspectionNames = Object.keys({
  clientId: true,
  clientSecret: true,
  privateKey: true,
  endpoint: true,
  issuer: true,
} satisfies Record<keyof IntrospectionOptions, true>);
const dpopNames = Object.keys({ use: true, nonce: true, replay: true } satisfies Record<keyof DpopOptions, true>);

/** Checks the options. Says which one is wrong, and what is expected. */
export function readOptions(options: OAuthOptions): OAuthSettings {
  assertKnownOptions('oauth', options, optionNames);
  const { strict = false, anonymous = false, exposeToken = false, implies = {}, scopes = [] } = options;
  const rules = [options.issuer].flat();
  const issuers = rules.filter((rule) => typeof rule === 'string').map(checkIssuer);
  const audiences = options.audience === undefined ? undefined : texts('audience', [options.audience].flat());
  const named = audiences?.filter((audience) => audience !== 'any');
  const { leewayMs = limits.oauth.leewayMs.value, revalidateMs = limits.oauth.revalidateMs.value } = options;
  const { challenge = 'http', algorithms = defaultAlgorithms, maxRefusals = limits.oauth.maxRefusals.value } = options;
  if (issuers.length === 0) {
    throw wrong('issuer', 'must name at least one issuer as text: clients are sent there for their tokens');
  }
  for (const list of [scopes, ...Object.values(implies), Object.keys(implies)]) checkScopes(list);
  if (leewayMs > 5 * 60_000) throw wrong('leewayMs', 'must be at most 300 000, five minutes');
  oneOf('challenge', challenge, ['http', 'result', 'auto']);
  for (const algorithm of algorithms) oneOf('algorithms', algorithm, signatureAlgorithms);
  if (algorithms.length === 0) throw wrong('algorithms', 'must name at least one');
  return {
    issuers,
    trusts: rules.filter((rule) => typeof rule === 'function'),
    audiences: named?.length === 0 ? undefined : named,
    anyAudience: audiences?.includes('any') ?? false,
    scopes,
    strict,
    leewayMs: amount('leewayMs', leewayMs),
    revalidateMs: amount('revalidateMs', revalidateMs),
    introspection: checkIntrospection(options.introspection, issuers),
    ...checkDpop(options.dpop ?? 'off'),
    anonymous,
    challenge,
    principal: options.principal,
    implies,
    algorithms,
    exposeToken,
    maxRefusals: amount('maxRefusals', maxRefusals),
    name: options.name,
    documentation: options.documentation,
    fetch: options.fetch,
  };
}

function checkIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))) {
    throw wrong('issuer', `(--oauth) must be an https URL: ${sanitize(text)}`);
  }
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '') {
    throw wrong('issuer', `(--oauth) must have no query, fragment or password: ${sanitize(text)}`);
  }
  return text;
}

function checkIntrospection(
  given: IntrospectionOptions | undefined,
  issuers: readonly string[],
): OAuthSettings['introspection'] {
  if (given === undefined) return undefined;
  assertKnownOptions('"introspection" of oauth', given, introspectionNames);
  const { clientId, clientSecret, privateKey, endpoint, issuer = issuers[0] ?? '' } = given;
  if (typeof clientId !== 'string' || clientId === '') throw wrong('introspection.clientId', 'is missing');
  if ((clientSecret === undefined) === (privateKey === undefined)) {
    throw wrong('introspection', 'needs a clientSecret or a privateKey, and not both');
  }
  if (clientSecret === '') throw wrong('introspection.clientSecret', 'must not be empty');
  if (!issuers.includes(issuer)) throw wrong('introspection.issuer', 'must be one of "issuer"');
  if (endpoint !== undefined) checkEndpoint(endpoint);
  return { ...given, issuer };
}

function checkEndpoint(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return;
  throw wrong('introspection.endpoint', `must be an https URL: ${sanitize(text)}`);
}

function checkDpop(given: NonNullable<OAuthOptions['dpop']>): Pick<OAuthSettings, 'dpop' | 'nonce' | 'replay'> {
  if (typeof given === 'string') {
    oneOf('dpop', given, ['off', 'accept', 'require']);
    return { dpop: given, nonce: false, replay: 'store' };
  }
  assertKnownOptions('"dpop" of oauth', given, dpopNames);
  const { use, nonce = false, replay = 'store' } = given;
  oneOf('dpop.use', use, ['accept', 'require']);
  oneOf('dpop.replay', replay, ['process', 'store', 'off']);
  if (typeof nonce === 'object' && nonce.secret.length < 32) {
    throw wrong('dpop.nonce.secret', 'must have 32 characters or more');
  }
  return { dpop: use, nonce, replay };
}

function texts(name: string, list: readonly string[]): readonly string[] {
  if (list.length > 0 && list.every((text) => typeof text === 'string' && text !== '')) return list;
  throw wrong(name, 'must be a text or several, and none of them empty');
}

function checkScopes(scopes: readonly string[]): void {
  for (const scope of scopes) {
    if (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) continue;
    throw wrong('scopes', `(--scope) must be scopes, each a word without quotes: ${sanitize(scope)}`);
  }
}

function amount(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw wrong(name, 'must be a number that is not negative');
}

function oneOf(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw wrong(name, `must be one of ${choices.join(', ')}: ${sanitize(value)}`);
}

function wrong(name: string, what: string): TypeError {
  return new TypeError(`oauth: the option "${name}" ${what}`);
}
