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

/** Nobody can say now whether a token is good: its issuer can't be reached, or does not answer as it should. */
export class IssuerUnavailable extends Error {
  override name = 'Undecided';
}

const freshMs = limits.oauth.keysFreshMs.value;
const staleMs = limits.oauth.keysStaleMs.value;
const pauseMs = limits.oauth.keysPauseMs.value;
const firstPauseMs = limits.oauth.firstKeysPauseMs.value;
const maxKeys = limits.oauth.keys.value;

/** What an issuer said of itself. */
interface Known {
  readonly document: Readonly<Record<string, unknown>>;
  readonly keys: readonly VerifyKey[];
  /** When, as `performance.now()` counts. */
  readonly at: number;
}

/**
 * The metadata and the keys of one issuer: asked for when needed, and again when they are no longer fresh or a key is not among
 * them, but never often. While the issuer can't be reached, what is known goes on counting for a day.
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

  /** `isNamed`: who runs this server named it, so that what is wrong with it is no fault of a token. */
  constructor(
    issuer: string,
    { remote, isNamed, report }: { remote: Remote; isNamed: boolean; report: (problem: AuthError) => void },
  ) {
    this.issuer = issuer;
    this.#remote = remote;
    this.#isNamed = isNamed;
    this.#report = report;
  }

  /** The key that a token names. Undefined where there is no such one; rejected with `Undecided` where nobody knows. */
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

  /** Asks for what is not known yet. */
  async warmUp(): Promise<void> {
    await this.#refresh();
  }

  /** True where it answers, but not as an issuer does: a name that somebody made up. */
  get #isNotAnIssuer(): boolean {
    return !this.#isNamed && this.#known === undefined && this.#failure?.code !== 'unreachable';
  }

  #unavailable(): IssuerUnavailable {
    return new IssuerUnavailable(`The keys of ${this.issuer} are not known`, { cause: this.#failure });
  }

  /** What is known; undefined for one that is no issuer. */
  #current(): Awaitable<Known | undefined> {
    const known = this.#known;
    const age = known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.at;
    if (known !== undefined && age < freshMs) {
      // Whoever comes when they are old would have to wait.
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

  /** Asks the issuer, unless that was done only just now. All who wait meanwhile wait for the same answer. */
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
    // Who signs nothing that can be read has no keys: its tokens are asked about.
    if (place === undefined) return [];
    const { status, body } = await this.#remote.get(this.#remote.check(place, 'jwks_uri').href);
    if (status !== 200 || !Array.isArray(body?.keys)) {
      throw new AuthError(status >= 500 ? 'unreachable' : 'invalid_answer', `There are no keys at jwks_uri: ${status}`);
    }
    const before = this.#known?.keys ?? [];
    return body.keys.slice(0, maxKeys).flatMap((jwk: unknown) => {
      const key = isObject(jwk) ? readVerifyKey(jwk, this.issuer) : undefined;
      if (key === undefined) return [];
      // What was signed with a key that is still there need not be checked again.
      return before.find((old) => old.kid === key.kid && old.members === key.members && old.alg === key.alg) ?? key;
    });
  }
}

/** Without a name there must be one key only that fits. */
function pickKey(keys: readonly VerifyKey[], kid: string | undefined, alg: SignatureAlgorithm): VerifyKey | undefined {
  const fitting = keys.filter((key) => key.fits(alg) && (kid === undefined || key.kid === kid));
  return kid === undefined && fitting.length > 1 ? undefined : fitting[0];
}
