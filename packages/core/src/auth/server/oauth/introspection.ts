import { AuthError, sanitize } from '../../auth-error.ts';
import { proveIdentity } from '../../client-identity.ts';
import { stringField, stringListField } from '../../json-fields.ts';
import type { RemoteAnswer } from '../../remote.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';
import { type Issuers, IssuerUnavailable, remoteFor } from './issuer-keys.ts';
import type { OAuthClaims, OAuthSettings } from './options.ts';

/** The minimum pause between two key requests to one issuer. */
const keysPauseMs = 30 * 1000;

/** The maximum concurrent introspections; further ones get 503. */
const maxConcurrent = 100;

/** The maximum length of an introspection response, in bytes. */
const maxResponse = 64 * 1024;

type Terms = NonNullable<OAuthSettings['introspection']>;

/** Introspects tokens. Returns undefined for an inactive token; rejects with `IssuerUnavailable` without an answer. */
export class Introspection {
  readonly #terms: Terms;
  readonly #issuers: Issuers;
  readonly #log: ProtectedEndpoint['log'];
  readonly #remote: ReturnType<typeof remoteFor>;
  #inFlight = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(
    terms: Terms,
    issuers: Issuers,
    { settings, log }: { settings: OAuthSettings; log: ProtectedEndpoint['log'] },
  ) {
    this.#terms = terms;
    this.#issuers = issuers;
    this.#log = log;
    this.#remote = remoteFor(terms.issuer, settings, maxResponse);
  }

  /** The issuer of the tokens, unless the response names it. */
  get issuer(): string {
    return this.#terms.issuer;
  }

  async ask(token: string): Promise<OAuthClaims | undefined> {
    if (this.#inFlight >= maxConcurrent) throw new IssuerUnavailable('introspection');
    this.#inFlight += 1;
    try {
      const { status, body } = await this.#send(token);
      if (status === 200 && body !== undefined) return body.active === true ? body : undefined;
      const remedy = status === 401 || status === 403 ? ': look at the option "introspection" of oauth' : '';
      this.#logOnce(
        `The introspection endpoint of ${sanitize(this.issuer)} gave no answer, but status ${status}${remedy}`,
      );
    } catch (error) {
      if (error instanceof IssuerUnavailable) throw error;
      const why = error instanceof AuthError ? error.message : 'it failed';
      this.#logOnce(`The introspection endpoint of ${sanitize(this.issuer)} could not be asked: ${why}`);
    } finally {
      this.#inFlight -= 1;
    }
    throw new IssuerUnavailable('introspection');
  }

  async #send(token: string): Promise<RemoteAnswer> {
    const { clientId: id, clientSecret: secret, privateKey: key } = this.#terms;
    const needsDocument = this.#terms.endpoint === undefined;
    const document = needsDocument ? await this.#issuers.of(this.issuer)?.document() : {};
    const endpoint = this.#terms.endpoint ?? stringField(document ?? {}, 'introspection_endpoint');
    if (endpoint === undefined) {
      throw new AuthError(
        'invalid_answer',
        'its metadata names no introspection_endpoint: give one in "introspection"',
      );
    }
    const authMethods = stringListField(document ?? {}, 'introspection_endpoint_auth_methods_supported');
    const identity = await proveIdentity({ id, secret, key }, { issuer: this.issuer, authMethods });
    return this.#remote.post(this.#remote.check(endpoint, 'introspection endpoint').href, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...identity.headers },
      body: new URLSearchParams({ token, token_type_hint: 'access_token', ...identity.form }).toString(),
    });
  }

  /** Rate-limited, because many tokens may fail. */
  #logOnce(text: string): void {
    const now = performance.now();
    if (now - this.#loggedAt < keysPauseMs) return;
    this.#loggedAt = now;
    this.#log('error', text);
  }
}
