import { limits } from '../../../limits.ts';
import { type AuthError, sanitize } from '../../auth-error.ts';
import { createRemote, type Remote } from '../../remote.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';
import { IssuerKeys, IssuerUnavailable } from './issuer-keys.ts';
import type { OAuthSettings } from './options.ts';

const windowMs = limits.apiKeys.windowMs.value;
const maxIssuers = limits.oauth.issuers.value;
/** Longer issuers are rejected and not stored. */
const longestIssuer = 500;
const maxNew = limits.oauth.newIssuers.value;

/** The trusted issuers and their keys. No other issuer is ever contacted. */
export class Issuers {
  readonly #fixed: ReadonlyMap<string, IssuerKeys>;
  /** Issuers accepted by a function, in the order of last use. */
  readonly #dynamic = new Map<string, IssuerKeys>();
  readonly #settings: OAuthSettings;
  readonly #log: ProtectedEndpoint['log'];
  #added = { count: 0, until: 0 };

  constructor(settings: OAuthSettings, log: ProtectedEndpoint['log']) {
    this.#settings = settings;
    this.#log = log;
    this.#fixed = new Map(settings.issuers.map((issuer) => [issuer, this.#createKeys(issuer, { isNamed: true })]));
  }

  /** The keys of an issuer; undefined if it is not trusted. */
  of(issuer: string): IssuerKeys | undefined {
    return this.#fixed.get(issuer) ?? (this.#trusts(issuer) ? this.#dynamicKeys(issuer) : undefined);
  }

  /** Preloads the keys of all configured issuers. */
  async warmUp(): Promise<void> {
    await Promise.all(Array.from(this.#fixed.values(), (keys) => keys.warmUp()));
  }

  #trusts(issuer: string): boolean {
    return issuer.length <= longestIssuer && this.#settings.trusts.some((trusts) => trusts(issuer));
  }

  #dynamicKeys(issuer: string): IssuerKeys {
    const known = this.#dynamic.get(issuer) ?? this.#add(issuer);
    this.#dynamic.delete(issuer);
    this.#dynamic.set(issuer, known);
    return known;
  }

  /** Limits new issuers, so that made-up tenants do not cause requests. */
  #add(issuer: string): IssuerKeys {
    const now = performance.now();
    if (this.#added.until <= now) this.#added = { count: 0, until: now + windowMs };
    if (this.#added.count >= maxNew) throw new IssuerUnavailable('issuers');
    this.#added.count += 1;
    const [oldest] = this.#dynamic.keys();
    if (oldest !== undefined && this.#dynamic.size >= maxIssuers) this.#dynamic.delete(oldest);
    return this.#createKeys(issuer, { isNamed: false });
  }

  #createKeys(issuer: string, { isNamed }: { isNamed: boolean }): IssuerKeys {
    const remote = remoteFor(issuer, this.#settings, limits.oauth.metadata.value);
    return new IssuerKeys(issuer, { remote, isNamed, report: (problem) => this.#report(issuer, problem) });
  }

  #report(issuer: string, problem: AuthError): void {
    const cause = problem.cause instanceof Error ? ` (${sanitize(problem.cause.message)})` : '';
    this.#log('warning', `The keys of ${sanitize(issuer)} could not be had: ${problem.message}${cause}`);
  }
}

/** Creates the client for a configured issuer, which may be at any address. */
export function remoteFor(issuer: string, { fetch }: Pick<OAuthSettings, 'fetch'>, maxAnswer: number): Remote {
  const timeoutMs = limits.oauth.remoteMs.value;
  const sending = fetch === undefined ? {} : { fetch };
  return createRemote({ url: issuer }, { privateAddresses: true, timeoutMs, maxAnswer, ...sending });
}
