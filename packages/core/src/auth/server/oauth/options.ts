import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import { limits } from '../../../limits.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';
import type { Auth } from '../../../server/peer.ts';
import { sanitize } from '../../auth-error.ts';
import type { ClientKey } from '../../client-identity.ts';
import { isLoopback } from '../../address-kind.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';

/** The claims of a token. */
export type OAuthClaims = Readonly<Record<string, unknown>>;

/** A caller that authenticated with a token. */
export interface OAuthCaller extends Auth {
  /** Issuer and subject, or issuer and client for a program without a user. State is bound to it. */
  readonly principal: string;
  /** Identifies the caller: the principal, unless the option `principal` returns another id. */
  readonly id: string;
  readonly issuer: string;
  /** Absent for a program without a user, if the authorization server sends no subject. */
  readonly subject?: string;
  readonly clientId?: string;
  /** The scopes of the token, with implied ones. */
  readonly scopes: readonly string[];
  readonly claims: OAuthClaims;
  /** When the token expires, as for `Date.now()`; absent if unknown. */
  readonly expiresAt?: number;
  /** The token itself, with `exposeToken`. */
  readonly token?: string;
}

/** How to introspect opaque tokens. */
export interface IntrospectionOptions {
  /** This server's client id at the authorization server. */
  clientId: string;
  /** Either this or `privateKey`. */
  clientSecret?: string;
  privateKey?: ClientKey;
  /** The introspection endpoint. Default: from the issuer's metadata. */
  endpoint?: string;
  /** The issuer to ask, if there are several. Default: the first. */
  issuer?: string;
}

/** How to handle DPoP-bound tokens. */
export interface DpopOptions {
  /** `accept` allows bearer tokens too; `require` does not. */
  use: 'accept' | 'require';
  /** True requires a server nonce in each proof. Several instances need a common secret of at least 32 characters. */
  nonce?: boolean | { secret: string };
  /**
   * Where replay detection stores proofs: in the `store` of the endpoint, for all instances and workers; in this
   * `process`; or `off`, so that a proof can be reused for five minutes. Default: `store`.
   */
  replay?: 'process' | 'store' | 'off';
}

/** The result of the option `principal`; undefined rejects the caller, whatever the token. */
export type NamedCaller = { id?: string; scopes?: readonly string[] } | undefined;

/** Options of `oauth`. */
export interface OAuthOptions {
  /**
   * The trusted issuers, exactly as they identify themselves. A function decides about further ones, such as tenants:
   * it must know who may issue tokens for this server.
   */
  issuer: IssuerRule | readonly IssuerRule[];
  /**
   * The accepted audiences. Default: the `resource` of the endpoint. `any` also accepts introspection responses without
   * an audience.
   */
  audience?: string | readonly string[];
  /** The scopes that every token must have. */
  scopes?: readonly string[];
  /** True only accepts tokens of the type `at+jwt`. */
  strict?: boolean;
  /** The tolerated clock skew. Default: 30 000. */
  leewayMs?: number;
  /** How long a checked token is cached; 0 checks it each time. Default: 60 000. */
  revalidateMs?: number;
  /** How to introspect opaque tokens. Default: they are rejected. */
  introspection?: IntrospectionOptions;
  /** DPoP-bound tokens (RFC 9449). Default: `off`, which rejects them. */
  dpop?: 'off' | DpopOptions['use'] | DpopOptions;
  /** True allows anonymous callers. */
  anonymous?: boolean;
  /**
   * How to challenge for missing scopes: by an HTTP response, in the tool result, or depending on the user agent.
   * Default: `http`.
   */
  challenge?: 'http' | 'result' | 'auto';
  /** Derives the id and scopes of a caller from the claims; undefined rejects the caller. */
  principal?: (claims: OAuthClaims) => Awaitable<NamedCaller>;
  /** Scopes that imply others, such as `{ admin: ['read', 'write'] }`. */
  implies?: Readonly<Record<string, readonly string[]>>;
  /** The accepted signature algorithms. Default: RS256, PS256, ES256, ES384, EdDSA and Ed25519. */
  algorithms?: readonly SignatureAlgorithm[];
  /** True gives handlers the token as `context.auth.token`. Never forward it: it was issued for this server alone. */
  exposeToken?: boolean;
  /**
   * How many invalid opaque tokens an address may send within 10 seconds before its tokens are no longer introspected
   * for a while. Default: 100.
   */
  maxRejectedTokens?: number;
  /** The display name of this server, for its metadata. */
  name?: string;
  /** The documentation URL of this server, for its metadata. */
  documentation?: string;
  /** Sends requests to authorization servers. Default: Node's HTTP, or the global `fetch` in other runtimes. */
  fetch?: typeof fetch;
}

/** The endpoint of the tokens. */
export interface OAuthEndpoint extends ProtectedEndpoint {
  readonly resource: string;
}

/** An issuer, or a function that decides about issuers. */
export type IssuerRule = string | ((issuer: string) => boolean);

/** Validated options with defaults. */
export interface OAuthSettings {
  readonly issuers: readonly string[];
  readonly trusts: readonly ((issuer: string) => boolean)[];
  /** Default: the resource of the endpoint. */
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
  readonly maxRejectedTokens: number;
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
  maxRejectedTokens: true,
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

/** Validates the options and applies defaults. */
export function readOptions(options: OAuthOptions): OAuthSettings {
  assertKnownOptions('oauth', options, optionNames);
  const { strict = false, anonymous = false, exposeToken = false, implies = {}, scopes = [] } = options;
  const rules = [options.issuer].flat();
  const issuers = rules.filter((rule) => typeof rule === 'string').map(checkIssuer);
  const audiences = options.audience === undefined ? undefined : texts('audience', [options.audience].flat());
  const named = audiences?.filter((audience) => audience !== 'any');
  const { leewayMs = limits.oauth.leewayMs.value, revalidateMs = limits.oauth.revalidateMs.value } = options;
  const {
    challenge = 'http',
    algorithms = defaultAlgorithms,
    maxRejectedTokens = limits.oauth.maxRejectedTokens.value,
  } = options;
  if (issuers.length === 0) {
    throw optionError('issuer', 'must name at least one issuer as text: clients are sent there for their tokens');
  }
  for (const list of [scopes, ...Object.values(implies), Object.keys(implies)]) checkScopes(list);
  if (leewayMs > 5 * 60_000) throw optionError('leewayMs', 'must be at most 300 000, five minutes');
  oneOf('challenge', challenge, ['http', 'result', 'auto']);
  for (const algorithm of algorithms) oneOf('algorithms', algorithm, signatureAlgorithms);
  if (algorithms.length === 0) throw optionError('algorithms', 'must name at least one');
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
    maxRejectedTokens: amount('maxRejectedTokens', maxRejectedTokens),
    name: options.name,
    documentation: options.documentation,
    fetch: options.fetch,
  };
}

function checkIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))) {
    throw optionError('issuer', `(--oauth) must be an https URL: ${sanitize(text)}`);
  }
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '') {
    throw optionError('issuer', `(--oauth) must have no query, fragment or password: ${sanitize(text)}`);
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
  if (typeof clientId !== 'string' || clientId === '') throw optionError('introspection.clientId', 'is missing');
  if ((clientSecret === undefined) === (privateKey === undefined)) {
    throw optionError('introspection', 'needs a clientSecret or a privateKey, and not both');
  }
  if (clientSecret === '') throw optionError('introspection.clientSecret', 'must not be empty');
  if (!issuers.includes(issuer)) throw optionError('introspection.issuer', 'must be one of "issuer"');
  if (endpoint !== undefined) checkEndpoint(endpoint);
  return { ...given, issuer };
}

function checkEndpoint(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return;
  throw optionError('introspection.endpoint', `must be an https URL: ${sanitize(text)}`);
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
    throw optionError('dpop.nonce.secret', 'must have 32 characters or more');
  }
  return { dpop: use, nonce, replay };
}

function texts(name: string, list: readonly string[]): readonly string[] {
  if (list.length > 0 && list.every((text) => typeof text === 'string' && text !== '')) return list;
  throw optionError(name, 'must be a text or several, and none of them empty');
}

function checkScopes(scopes: readonly string[]): void {
  for (const scope of scopes) {
    if (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) continue;
    throw optionError('scopes', `(--scope) must be scopes, each a word without quotes: ${sanitize(scope)}`);
  }
}

function amount(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw optionError(name, 'must be a number that is not negative');
}

function oneOf(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw optionError(name, `must be one of ${choices.join(', ')}: ${sanitize(value)}`);
}

function optionError(name: string, what: string): TypeError {
  return new TypeError(`oauth: the option "${name}" ${what}`);
}

/** The supported signature algorithms: all asymmetric, so that a verifier can't create tokens. */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** A signature algorithm. */
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** The default algorithms. */
const defaultAlgorithms: readonly SignatureAlgorithm[] = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];
