import { type Awaitable, isThenable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { limits } from '../../../limits.ts';
import { sanitize } from '../../auth-error.ts';
import { stringField } from '../../json-fields.ts';
import type { AuthRefusal } from '../authenticator.ts';
import { normalizeUrl } from '../resource-url.ts';
import { createCaller, principalOf } from './caller.ts';
import { audienceProblem, bindingOf, type ClaimProblem, type ClaimTerms, timeProblem, typeProblem } from './claims.ts';
import { Introspection } from './introspection.ts';
import type { Issuers } from './issuers.ts';
import { type Jws, looksLikeJws, readJws } from './jws.ts';
import type { NamedCaller, OAuthCaller, OAuthClaims, OAuthEndpoint, OAuthSettings } from './options.ts';
import { RefusalLog } from './refusal-log.ts';
import type { Refusals, Scheme } from './refusals.ts';
import { IssuerUnavailable } from './issuer-keys.ts';
import type { CachedCaller, Source, Verdict } from './verdict-cache.ts';
import { algorithmIn } from './verify-key.ts';

/** Dependencies of `TokenCheck`. */
export interface TokenCheckDependencies {
  readonly issuers: Issuers;
  readonly refusals: Refusals;
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
  readonly #refusals: Refusals;
  readonly #issuers: Issuers;
  readonly #introspection: Introspection | undefined;
  readonly #terms: ClaimTerms;
  readonly #log: RefusalLog;
  #introspected: Source = { issuer: '', retired: false };

  constructor(
    settings: OAuthSettings,
    { resource, log }: OAuthEndpoint,
    { issuers, refusals }: TokenCheckDependencies,
  ) {
    const { introspection, audiences = [resource] } = settings;
    this.#settings = settings;
    this.#issuers = issuers;
    this.#refusals = refusals;
    this.#introspection =
      introspection === undefined ? undefined : new Introspection(introspection, issuers, { settings, log });
    this.#terms = { ...settings, audiences: new Set(audiences.map(normalizeUrl)) };
    this.#log = new RefusalLog(log);
  }

  /** Checks a token. Internal errors become refusals and never reach the sender. */
  run(token: string, scheme: Scheme): Awaitable<Verdict | AuthRefusal> {
    try {
      const jws = readJws(token);
      const verified = jws !== undefined || looksLikeJws(token) ? this.#readSigned(jws) : this.#introspect(token);
      const verdict = whenThere(verified, (known) => this.#authorizeCaller(known, scheme));
      return isThenable(verdict) ? verdict.catch((error: unknown) => this.#refuse(error, scheme)) : verdict;
    } catch (error) {
      return this.#refuse(error, scheme);
    }
  }

  /** True for an opaque token, which costs a request to its issuer. */
  needsIntrospection(token: string): boolean {
    return this.#introspection !== undefined && !looksLikeJws(token);
  }

  /** Creates the cached caller of a verdict. */
  toCachedCaller({ text, source: { issuer }, named }: Verdict): CachedCaller {
    return this.#cachedCallerOf(createCaller(JSON.parse(text) as OAuthClaims, { issuer, named }, this.#settings));
  }

  #cachedCallerOf(caller: OAuthCaller): CachedCaller {
    const boundTo = bindingOf(caller.claims, this.#terms);
    return { caller, boundTo: typeof boundTo === 'string' ? boundTo : undefined };
  }

  #readSigned(jws: Jws | undefined): Awaitable<VerifiedToken> {
    const alg = jws === undefined ? undefined : algorithmIn(jws.alg, this.#settings.algorithms);
    if (jws === undefined || alg === undefined) {
      throw new BadToken('signature', 'it is no JWT that is signed in a way that counts ("alg", "crit")');
    }
    const issuer = stringField(jws.payload, 'iss') ?? '';
    const keys = this.#issuers.of(issuer);
    if (keys === undefined) throw new BadToken('issuer', `its issuer is ${sanitize(issuer) || 'not named'} ("iss")`);
    // Cheap checks first: an expired token needs no signature check.
    this.#throwFirst(
      timeProblem(jws.payload, this.#terms, { needsEnd: true }),
      typeProblem(jws.header, jws.payload, this.#terms),
    );
    const { kid } = jws.header;
    const found = kid === undefined || typeof kid === 'string' ? keys.find(kid, alg) : undefined;
    return whenThere(found, (key) => {
      if (key === undefined) throw new BadToken('signature', 'its issuer has no such key ("kid")');
      return whenThere(key.verify({ alg, signed: jws.signed, signature: jws.signature }), (right) => {
        if (!right) throw new BadToken('signature', 'its signature is wrong');
        return this.#checkAudience(jws, key);
      });
    });
  }

  #checkAudience({ payload, text }: Jws, source: Source): VerifiedToken {
    this.#throwFirst(audienceProblem(payload, this.#terms, { introspected: false }));
    return { claims: payload, text, source };
  }

  async #introspect(token: string): Promise<VerifiedToken> {
    const asked = this.#introspection;
    if (asked === undefined) throw new BadToken('type', 'it is no JWT, and the option "introspection" is not set');
    const claims = await asked.ask(token);
    if (claims === undefined) throw new BadToken('time', 'its issuer says that it is not active');
    const { issuer } = asked;
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
  #authorizeCaller(verified: VerifiedToken, scheme: Scheme): Awaitable<Verdict | AuthRefusal> {
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
    if (principal === undefined) return this.#verdictFor(verified, noOverride, scheme);
    return whenThere(principal(claims), (named) => this.#verdictFor(verified, named, scheme));
  }

  #verdictFor({ claims, text, source }: VerifiedToken, named: NamedCaller, scheme: Scheme): Verdict | AuthRefusal {
    const { scopes, leewayMs, revalidateMs } = this.#settings;
    if (named === undefined) return this.#refusals.forbidden();
    const { issuer } = source;
    const caller = createCaller(claims, { issuer, named }, this.#settings);
    if (scopes.some((scope) => !caller.scopes.includes(scope))) {
      return this.#refusals.insufficientScope({ needed: scopes, caller }, scheme);
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

  #refuse(error: unknown, scheme: Scheme): AuthRefusal {
    if (error instanceof BadToken) {
      return this.#refusals.badToken(scheme, this.#log.record(error.problem, error.message));
    }
    if (error instanceof IssuerUnavailable) return this.#refusals.unavailable();
    return this.#refusals.badToken(scheme, this.#log.recordFailure(error));
  }
}

/** A token without an expiry is checked again soon. */
function maxFreshMs(revalidateMs: number): number {
  return Math.min(revalidateMs, limits.oauth.revalidateMs.value);
}
