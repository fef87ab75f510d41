import { limits } from '../../../limits.ts';
import { fromBase64 } from '../../../runtime/base64.ts';
import { sanitize } from '../../auth-error.ts';
import { stringField } from '../../json-fields.ts';
import type { AuthRejection, ProtectedEndpoint } from '../authenticator.ts';
import { normalizeUrl } from '../resource-url.ts';
import {
  audienceProblem,
  bindingOf,
  type ClaimProblem,
  type ClaimTerms,
  createCaller,
  principalOf,
  timeProblem,
  typeProblem,
} from './claims.ts';
import { Introspection } from './introspection.ts';
import { type Issuers, IssuerUnavailable } from './issuer-keys.ts';
import type { NamedCaller, OAuthCaller, OAuthClaims, OAuthEndpoint, OAuthSettings } from './options.ts';
import { algorithmOf, decode, isJwt } from './public-key.ts';
import type { Rejections, Scheme } from './rejections.ts';
import type { CachedCaller, Source, Verdict } from './verdict-cache.ts';

/** Dependencies of `TokenCheck`. */
export interface TokenCheckDependencies {
  readonly issuers: Issuers;
  readonly rejections: Rejections;
}

/** The verified claims of a token, and their source. */
interface VerifiedToken {
  readonly claims: OAuthClaims;
  readonly text: string;
  readonly source: Source;
}

/** No custom caller. */
const noOverride: NamedCaller = {};

/** Thrown for an invalid token. The detail is for the log only. */
class BadToken extends Error {
  readonly problem: ClaimProblem['kind'] | 'signature' | 'issuer';

  constructor(problem: BadToken['problem'], detail: string) {
    super(detail);
    this.problem = problem;
  }
}

/** Checks tokens completely: signature, audience, times, scopes. */
export class TokenCheck {
  readonly #settings: OAuthSettings;
  readonly #rejections: Rejections;
  readonly #issuers: Issuers;
  readonly #introspection: Introspection | undefined;
  readonly #terms: ClaimTerms;
  readonly #log: RejectionLog;
  #introspected: Source = { issuer: '', retired: false };

  constructor(
    settings: OAuthSettings,
    { resource, log }: OAuthEndpoint,
    { issuers, rejections }: TokenCheckDependencies,
  ) {
    const { introspection, audiences = [resource] } = settings;
    this.#settings = settings;
    this.#issuers = issuers;
    this.#rejections = rejections;
    this.#introspection =
      introspection === undefined ? undefined : new Introspection(introspection, issuers, { settings, log });
    this.#terms = { ...settings, audiences: new Set(audiences.map(normalizeUrl)) };
    this.#log = new RejectionLog(log);
  }

  /** Checks a token. Internal errors become rejections and never reach the sender. */
  async run(token: string, scheme: Scheme): Promise<Verdict | AuthRejection> {
    try {
      const verified = await (isJwt(token) ? this.#verify(token) : this.#introspect(token));
      return await this.#authorizeCaller(verified, scheme);
    } catch (error) {
      return this.#reject(error, scheme);
    }
  }

  /** True for an opaque token, which costs a request to its issuer. */
  needsIntrospection(token: string): boolean {
    return this.#introspection !== undefined && !isJwt(token);
  }

  /** Creates the cached caller of a verdict. */
  toCachedCaller({ text, source: { issuer }, named }: Verdict): CachedCaller {
    return this.#cachedCallerOf(createCaller(JSON.parse(text) as OAuthClaims, { issuer, named }, this.#settings));
  }

  #cachedCallerOf(caller: OAuthCaller): CachedCaller {
    const boundTo = bindingOf(caller.claims, this.#terms);
    return { caller, boundTo: typeof boundTo === 'string' ? boundTo : undefined };
  }

  async #verify(token: string): Promise<VerifiedToken> {
    const jwt = decode(token);
    const alg = jwt === undefined ? undefined : algorithmOf(jwt.header, this.#settings.algorithms);
    if (jwt === undefined || alg === undefined) {
      throw new BadToken('signature', 'it is no JWT that is signed in a way that counts ("alg", "crit")');
    }
    const { header, claims } = jwt;
    const issuer = stringField(claims, 'iss') ?? '';
    const keys = this.#issuers.of(issuer);
    if (keys === undefined) throw new BadToken('issuer', `its issuer is ${sanitize(issuer) || 'not named'} ("iss")`);
    // Cheap checks first: an expired token needs no signature check.
    this.#throwFirst(timeProblem(claims, this.#terms, { needsEnd: true }), typeProblem(header, claims, this.#terms));
    const { kid } = header;
    const key = kid === undefined || typeof kid === 'string' ? await keys.find(kid, alg) : undefined;
    if (key === undefined) throw new BadToken('signature', 'its issuer has no such key ("kid")');
    if (!(await key.verify(token, alg))) throw new BadToken('signature', 'its signature is wrong');
    this.#throwFirst(audienceProblem(claims, this.#terms, { introspected: false }));
    // Decoded from the token: V8 keeps the texts of JSON.stringify in larger buffers, 150 bytes more for each token.
    return { claims, text: payloadOf(token), source: key };
  }

  async #introspect(token: string): Promise<VerifiedToken> {
    const introspection = this.#introspection;
    if (introspection === undefined)
      throw new BadToken('type', 'it is no JWT, and the option "introspection" is not set');
    const claims = await introspection.ask(token);
    if (claims === undefined) throw new BadToken('time', 'its issuer says that it is not active');
    const { issuer } = introspection;
    // An issuer may only vouch for its own users.
    if (claims.iss !== undefined && claims.iss !== issuer) {
      throw new BadToken('issuer', `${sanitize(issuer)} says that it is of another issuer ("iss")`);
    }
    this.#throwFirst(
      timeProblem(claims, this.#terms, { needsEnd: false }),
      audienceProblem(claims, this.#terms, { introspected: true }),
    );
    if (stringField(claims, 'token_type')?.toLowerCase() === 'dpop' && claims.cnf === undefined) {
      throw new BadToken('binding', 'it is bound to a key, and its issuer does not say to which ("cnf")');
    }
    return { claims, text: JSON.stringify(claims), source: this.#introspectionSource(issuer) };
  }

  /** Shared by all introspected tokens of an issuer. */
  #introspectionSource(issuer: string): Source {
    if (this.#introspected.issuer !== issuer) this.#introspected = { issuer, retired: false };
    return this.#introspected;
  }

  #throwFirst(...problems: readonly (ClaimProblem | undefined)[]): void {
    for (const problem of problems) if (problem !== undefined) throw new BadToken(problem.kind, problem.detail);
  }

  /** Authorizes the caller of a verified token. */
  async #authorizeCaller(verified: VerifiedToken, scheme: Scheme): Promise<Verdict | AuthRejection> {
    const { claims, source } = verified;
    const binding = bindingOf(claims, this.#terms);
    if (typeof binding === 'object') this.#throwFirst(binding);
    if (principalOf(claims, source.issuer) === undefined) {
      throw new BadToken(
        'subject',
        'it names neither a subject nor a client ("sub", "client_id"), or one that is too long',
      );
    }
    const { principal } = this.#settings;
    return this.#verdictFor(verified, principal === undefined ? noOverride : await principal(claims), scheme);
  }

  #verdictFor({ claims, text, source }: VerifiedToken, named: NamedCaller, scheme: Scheme): Verdict | AuthRejection {
    const { scopes, leewayMs, revalidateMs } = this.#settings;
    if (named === undefined) return this.#rejections.forbidden();
    const { issuer } = source;
    const caller = createCaller(claims, { issuer, named }, this.#settings);
    if (scopes.some((scope) => !caller.scopes.includes(scope))) {
      return this.#rejections.insufficientScope({ needed: scopes, caller }, scheme);
    }
    const { exp } = claims;
    const [end, freshMs] =
      typeof exp === 'number' ? [exp, revalidateMs] : [Number.MAX_SAFE_INTEGER, maxFreshMs(revalidateMs)];
    return {
      text,
      source,
      named,
      freshUntil: Math.floor(performance.now() + freshMs),
      endsAt: Math.floor(end + leewayMs / 1000),
      cachedCaller: this.#cachedCallerOf(caller),
    };
  }

  #reject(error: unknown, scheme: Scheme): AuthRejection {
    if (error instanceof BadToken) {
      return this.#rejections.badToken(scheme, this.#log.record(error.problem, error.message));
    }
    if (error instanceof IssuerUnavailable) return this.#rejections.unavailable();
    return this.#rejections.badToken(scheme, this.#log.recordFailure(error));
  }
}

/** The claims of a JWT as JSON. */
function payloadOf(token: string): string {
  return new TextDecoder().decode(fromBase64(token.split('.')[1] ?? ''));
}

/** A token without an expiry is checked again soon. */
function maxFreshMs(revalidateMs: number): number {
  return Math.min(revalidateMs, limits.oauth.revalidateMs.value);
}

/** The minimum pause between two log lines about the same kind of rejected token. */
const intervalMs = 60_000;

/** Hints by reason. */
const remedies: Readonly<Record<string, string>> = {
  audience: 'Where that is right, name it in the option "audience" of oauth (--audience)',
  time: 'Where it is off by little, compare the clocks, or set "leewayMs" of oauth',
  issuer: 'Only those count that the option "issuer" of oauth (--oauth) names, letter by letter',
};

/**
 * Logs why tokens were rejected, which their senders do not learn: the first of each kind, then a count, at most once a
 * minute.
 */
export class RejectionLog {
  readonly #log: ProtectedEndpoint['log'];
  readonly #logged = new Map<string, { at: number; more: number }>();

  constructor(log: ProtectedEndpoint['log']) {
    this.#log = log;
  }

  /** Logs a rejection and returns a request id. The response has an id even if no line was logged. */
  record(kind: string, detail: string): string {
    const id = crypto.randomUUID().slice(0, 8);
    const before = this.#logged.get(kind);
    const now = performance.now();
    if (before !== undefined && now - before.at < intervalMs) {
      before.more += 1;
      return id;
    }
    this.#logged.set(kind, { at: now, more: 0 });
    const more =
      before === undefined || before.more === 0 ? '' : ` ${before.more} more were rejected for such a reason.`;
    const remedy = remedies[kind] === undefined ? '' : `. ${remedies[kind]}`;
    this.#log('warning', `An access token was rejected (request ${id}): ${sanitize(detail)}${remedy}.${more}`);
    return id;
  }

  /** Logs an internal error, which rejects the token. */
  recordFailure(error: unknown): string {
    const name = error instanceof Error ? error.name : typeof error;
    return this.record(`failed ${name}`.slice(0, 50), `checking it failed with ${name}`);
  }
}
