import { isObject } from '../../../jsonrpc/message.ts';
import { isWorkerd } from '../../../runtime/kind.ts';
import { AuthError, sanitize } from '../../auth-error.ts';
import { stringField } from '../../json-fields.ts';
import { createRemote, type Remote, findServerDocument } from '../../remote.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';
import type { OAuthSettings, SignatureAlgorithm } from './options.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';

/** A token can't be checked now, because its issuer is unreachable or fails. */
export class IssuerUnavailable extends Error {
  override name = 'Undecided';
}

/** How long loaded keys are fresh. */
const freshMs = 10 * 60_000;
/** How long cached keys stay valid while their issuer is unreachable. */
const staleMs = 24 * 60 * 60_000;
/** The minimum pause between two key requests to one issuer, whatever key ids tokens name. */
const pauseMs = 30 * 1000;
/** The minimum pause between two key requests while no key of the issuer is cached. */
const firstPauseMs = 5 * 1000;
/** The maximum keys of one issuer; further ones are ignored. */
const maxKeys = 100;

/** The metadata and keys of an issuer. */
interface Known {
  readonly document: Readonly<Record<string, unknown>>;
  readonly keys: readonly PublicKey[];
  /** When they were loaded, as for `performance.now()`. */
  readonly at: number;
}

/**
 * Caches the metadata and keys of one issuer: loads them on demand, and again when they are stale or a key is missing,
 * at a limited rate. While the issuer is unreachable, cached keys stay valid for a day.
 */
export class IssuerKeys {
  readonly issuer: string;
  readonly #remote: Remote;
  readonly #isNamed: boolean;
  readonly #report: (problem: AuthError) => void;
  #known: Known | undefined;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #failure: AuthError | undefined;
  #refreshing: Promise<void> | undefined;

  /** `isNamed`: the issuer is configured, so its failures are not the fault of a token. */
  constructor(
    issuer: string,
    { remote, isNamed, report }: { remote: Remote; isNamed: boolean; report: (problem: AuthError) => void },
  ) {
    this.issuer = issuer;
    this.#remote = remote;
    this.#isNamed = isNamed;
    this.#report = report;
  }

  /** Finds the key of a token. Undefined if there is none; rejects with `IssuerUnavailable` if that is unknown. */
  async find(kid: string | undefined, alg: SignatureAlgorithm): Promise<PublicKey | undefined> {
    const key = pickKey((await this.#current())?.keys ?? [], kid, alg);
    if (key !== undefined) return key;
    await this.#refresh();
    const found = pickKey(this.#known?.keys ?? [], kid, alg);
    if (found === undefined && this.#failure !== undefined && !this.#isNotAnIssuer) throw this.#unavailable();
    return found;
  }

  /** The metadata of the issuer. */
  async document(): Promise<Readonly<Record<string, unknown>>> {
    const known = await this.#current();
    if (known === undefined) throw this.#unavailable();
    return known.document;
  }

  /** Preloads the keys. */
  async warmUp(): Promise<void> {
    await this.#refresh();
  }

  /** True if it answers, but not like an issuer: its name was made up. */
  get #isNotAnIssuer(): boolean {
    return !this.#isNamed && this.#known === undefined && this.#failure?.code !== 'unreachable';
  }

  #unavailable(): IssuerUnavailable {
    return new IssuerUnavailable(`The keys of ${this.issuer} are not known`, { cause: this.#failure });
  }

  /** The cached data; undefined if it is not an issuer. */
  async #current(): Promise<Known | undefined> {
    const known = this.#known;
    const age = known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.at;
    if (known !== undefined && age < freshMs) {
      // Refresh ahead of time, so that no request has to wait.
      if (age > freshMs * 0.8 && !isWorkerd) void this.#refresh();
      return known;
    }
    await this.#refresh();
    const now = this.#known;
    if (this.#isNotAnIssuer) return undefined;
    if (now === undefined || performance.now() - now.at > staleMs) throw this.#unavailable();
    return now;
  }

  /** Refreshes the keys, unless that was done recently. Concurrent callers share one request. */
  #refresh(): Promise<void> | undefined {
    if (this.#refreshing !== undefined && !isWorkerd) return this.#refreshing;
    const pause = this.#known === undefined ? firstPauseMs : pauseMs;
    if (performance.now() - this.#attemptedAt < pause && (this.#refreshing === undefined || !isWorkerd))
      return undefined;
    this.#attemptedAt = performance.now();
    const coming = this.#fetch().finally(() => {
      if (this.#refreshing === coming) this.#refreshing = undefined;
    });
    this.#refreshing = coming;
    return coming;
  }

  async #fetch(): Promise<void> {
    try {
      const document = await findServerDocument(this.#remote, this.issuer);
      const keys = await this.#fetchKeys(document);
      for (const old of this.#known?.keys ?? []) old.retired = !keys.includes(old);
      this.#known = { document, keys, at: performance.now() };
      this.#failure = undefined;
    } catch (error) {
      const cause = { cause: error };
      this.#failure = error instanceof AuthError ? error : new AuthError('unreachable', 'No usable answer', cause);
      this.#report(this.#failure);
    }
  }

  async #fetchKeys(document: Known['document']): Promise<PublicKey[]> {
    const place = stringField(document, 'jwks_uri');
    // An issuer without keys has opaque tokens, which are introspected.
    if (place === undefined) return [];
    const { status, body } = await this.#remote.get(this.#remote.check(place, 'jwks_uri').href);
    if (status !== 200 || !Array.isArray(body?.keys)) {
      throw new AuthError(status >= 500 ? 'unreachable' : 'invalid_answer', `There are no keys at jwks_uri: ${status}`);
    }
    const before = this.#known?.keys ?? [];
    return body.keys.slice(0, maxKeys).flatMap((jwk: unknown) => {
      const key = isObject(jwk) ? readPublicKey(jwk, this.issuer) : undefined;
      if (key === undefined) return [];
      // Reuses unchanged keys, so that verified tokens stay valid.
      return before.find((old) => old.kid === key.kid && old.members === key.members && old.alg === key.alg) ?? key;
    });
  }
}

/** Without a key id, exactly one key must match. */
function pickKey(keys: readonly PublicKey[], kid: string | undefined, alg: SignatureAlgorithm): PublicKey | undefined {
  const fitting = keys.filter((key) => key.fits(alg) && (kid === undefined || key.kid === kid));
  return kid === undefined && fitting.length > 1 ? undefined : fitting[0];
}

/** The maximum length of metadata or a key set, in bytes. */
const maxMetadata = 1 * 1024 * 1024;

/** The timeout of a request to an authorization server. */
const remoteMs = 5 * 1000;

/** The window in which new issuers are counted. */
const windowMs = 10 * 1000;
/** The maximum cached issuers that a function accepted. */
const maxIssuers = 100;
/** Longer issuers are rejected and not stored. */
const longestIssuer = 500;
/** The maximum new issuers per window. */
const maxNew = 10;

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
    const remote = remoteFor(issuer, this.#settings, maxMetadata);
    return new IssuerKeys(issuer, { remote, isNamed, report: (problem) => this.#report(issuer, problem) });
  }

  #report(issuer: string, problem: AuthError): void {
    const cause = problem.cause instanceof Error ? ` (${sanitize(problem.cause.message)})` : '';
    this.#log('warning', `The keys of ${sanitize(issuer)} could not be had: ${problem.message}${cause}`);
  }
}

/** Creates the client for a configured issuer, which may be at any address. */
export function remoteFor(issuer: string, { fetch }: Pick<OAuthSettings, 'fetch'>, maxAnswer: number): Remote {
  const sending = fetch === undefined ? {} : { fetch };
  return createRemote({ url: issuer }, { privateAddresses: true, timeoutMs: remoteMs, maxAnswer, ...sending });
}
