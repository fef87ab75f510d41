import { type Awaitable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { limits } from '../../../limits.ts';
import { inWorkers } from '../../../runtime/kind.ts';
import { AuthError } from '../../auth-error.ts';
import { stringField } from '../../json-fields.ts';
import type { Remote } from '../../remote.ts';
import { findServerDocument } from '../../server-document.ts';
import type { SignatureAlgorithm } from './algorithms.ts';
import { readVerifyKey, type VerifyKey } from './verify-key.ts';

/** A token can't be checked now, because its issuer is unreachable or fails. */
export class IssuerUnavailable extends Error {
  override name = 'Undecided';
}

const freshMs = limits.oauth.keysFreshMs.value;
const staleMs = limits.oauth.keysStaleMs.value;
const pauseMs = limits.oauth.keysPauseMs.value;
const firstPauseMs = limits.oauth.firstKeysPauseMs.value;
const maxKeys = limits.oauth.keys.value;

/** The metadata and keys of an issuer. */
interface Known {
  readonly document: Readonly<Record<string, unknown>>;
  readonly keys: readonly VerifyKey[];
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
  find(kid: string | undefined, alg: SignatureAlgorithm): Awaitable<VerifyKey | undefined> {
    return whenThere(this.#current(), (known) => {
      const key = pickKey(known?.keys ?? [], kid, alg);
      if (key !== undefined) return key;
      return whenThere(this.#refresh(), () => {
        const found = pickKey(this.#known?.keys ?? [], kid, alg);
        if (found === undefined && this.#failure !== undefined && !this.#isNotAnIssuer) throw this.#unavailable();
        return found;
      });
    });
  }

  /** The metadata of the issuer. */
  document(): Awaitable<Readonly<Record<string, unknown>>> {
    return whenThere(this.#current(), (known) => {
      if (known === undefined) throw this.#unavailable();
      return known.document;
    });
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
  #current(): Awaitable<Known | undefined> {
    const known = this.#known;
    const age = known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.at;
    if (known !== undefined && age < freshMs) {
      // Refresh ahead of time, so that no request has to wait.
      if (age > freshMs * 0.8 && !inWorkers) void this.#refresh();
      return known;
    }
    return whenThere(this.#refresh(), () => {
      const now = this.#known;
      if (this.#isNotAnIssuer) return undefined;
      if (now === undefined || performance.now() - now.at > staleMs) throw this.#unavailable();
      return now;
    });
  }

  /** Refreshes the keys, unless that was done recently. Concurrent callers share one request. */
  #refresh(): Awaitable<void> {
    if (this.#refreshing !== undefined && !inWorkers) return this.#refreshing;
    const pause = this.#known === undefined ? firstPauseMs : pauseMs;
    if (performance.now() - this.#attemptedAt < pause && (this.#refreshing === undefined || !inWorkers))
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

  async #fetchKeys(document: Known['document']): Promise<VerifyKey[]> {
    const place = stringField(document, 'jwks_uri');
    // An issuer without keys has opaque tokens, which are introspected.
    if (place === undefined) return [];
    const { status, body } = await this.#remote.get(this.#remote.check(place, 'jwks_uri').href);
    if (status !== 200 || !Array.isArray(body?.keys)) {
      throw new AuthError(status >= 500 ? 'unreachable' : 'invalid_answer', `There are no keys at jwks_uri: ${status}`);
    }
    const before = this.#known?.keys ?? [];
    return body.keys.slice(0, maxKeys).flatMap((jwk: unknown) => {
      const key = isObject(jwk) ? readVerifyKey(jwk, this.issuer) : undefined;
      if (key === undefined) return [];
      // Reuses unchanged keys, so that verified tokens stay valid.
      return before.find((old) => old.kid === key.kid && old.members === key.members && old.alg === key.alg) ?? key;
    });
  }
}

/** Without a key id, exactly one key must match. */
function pickKey(keys: readonly VerifyKey[], kid: string | undefined, alg: SignatureAlgorithm): VerifyKey | undefined {
  const fitting = keys.filter((key) => key.fits(alg) && (kid === undefined || key.kid === kid));
  return kid === undefined && fitting.length > 1 ? undefined : fitting[0];
}
