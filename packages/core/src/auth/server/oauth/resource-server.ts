import { type Awaitable, isThenable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { limits } from '../../../limits.ts';
import { inWorkers } from '../../../runtime/kind.ts';
import type { Auth } from '../../../server/exchange.ts';
import type { AuthRefusal, CredentialsRequest } from '../authenticator.ts';
import { tokenDigest } from '../token-digest.ts';
import { WrongKeys } from '../wrong-keys.ts';
import { Issuers } from './issuers.ts';
import { Nonces } from './nonces.ts';
import type { OAuthCaller, OAuthEndpoint, OAuthSettings } from './options.ts';
import { proofProblem } from './proof.ts';
import type { Refusals, Scheme } from './refusals.ts';
import { proofsHere, proofsIn } from './proof.ts';
import { TokenCheck } from './token-check.ts';
import { type AtHand, counts, type Verdict, Verdicts } from './verdicts.ts';

/** A token, and how it was sent. */
interface Credentials {
  readonly scheme: Scheme;
  readonly token: string;
}

const schemes: ReadonlyMap<string, Scheme> = new Map([
  ['bearer', 'Bearer'],
  ['dpop', 'DPoP'],
]);
const form = /^([!#$%&'*+.^_`|~\w-]+) +([A-Za-z0-9._~+/-]+=*)$/;

/**
 * Reads the header `Authorization`: undefined where it is not there, or is of another scheme. Two of them come joined by a
 * comma, which is no form of one.
 */
function readCredentials(header: string | undefined): Credentials | 'malformed' | undefined {
  if (header === undefined) return undefined;
  const [, name = '', token = ''] = form.exec(header) ?? [];
  if (token === '' || token.length > limits.oauth.token.value) return 'malformed';
  const scheme = schemes.get(name.toLowerCase());
  return scheme === undefined ? undefined : { scheme, token };
}

/** How most write it: a scheme in other letters, or with more spaces, is read with more care. */
const usualStart = 'Bearer ';
const longestLast = limits.oauth.lastHeader.value;
const onlyGuess = { principal: undefined, empty: false };
const onlyLook = { principal: undefined, empty: true };

/** A header whose token was checked, and all that is known of it. */
interface Last {
  readonly header: string;
  readonly credentials: Credentials;
  readonly verdict: Verdict;
  readonly digest: string;
}

/** Lets callers in by their tokens. A token that was checked costs a digest and a look into a table. */
export class ResourceServer {
  readonly #settings: OAuthSettings;
  readonly #endpoint: OAuthEndpoint;
  readonly #refusals: Refusals;
  readonly #issuers: Issuers;
  readonly #check: TokenCheck;
  readonly #verdicts = new Verdicts();
  readonly #refusedFrom: WrongKeys;
  readonly #nonces: Nonces | undefined;
  readonly #proofTerms;
  /** What came last on each connection: most go on with the same token, and not even its digest is needed then. */
  readonly #last = new WeakMap<object, Last>();
  /** Checks under way: who sends the same token meanwhile waits for the same one. */
  readonly #checking = new Map<string, Promise<Verdict | AuthRefusal>>();

  constructor(settings: OAuthSettings, endpoint: OAuthEndpoint, refusals: Refusals) {
    const { nonce, replay, algorithms, maxRefusals } = settings;
    this.#settings = settings;
    this.#endpoint = endpoint;
    this.#refusals = refusals;
    this.#issuers = new Issuers(settings, endpoint.log);
    this.#check = new TokenCheck(settings, endpoint, { issuers: this.#issuers, refusals });
    this.#refusedFrom = new WrongKeys(maxRefusals);
    this.#nonces = nonce === false ? undefined : new Nonces(nonce === true ? undefined : nonce.secret);
    const take = { process: proofsHere, store: () => proofsIn(endpoint.store), off: () => undefined }[replay]();
    this.#proofTerms = { algorithms, nonces: this.#nonces, take };
  }

  /** Asks issuers for their keys, before somebody needs them. */
  async warmUp(): Promise<void> {
    await this.#issuers.warmUp();
  }

  /** Who sends a request. Undefined: it carries no token. */
  authenticate(request: CredentialsRequest): Awaitable<Auth | AuthRefusal | undefined> {
    const header = request.header('authorization');
    if (header === undefined) return undefined;
    const { connection } = request;
    const last = connection === undefined ? undefined : this.#last.get(connection);
    if (last?.header === header && counts(last.verdict)) return this.#admit(request, last.credentials, last);
    // Most tokens were checked before: what is known to be one need not be looked at again.
    const early = header.startsWith(usualStart) ? tokenDigest(header.slice(usualStart.length)) : undefined;
    const known = typeof early === 'string' ? this.#verdicts.good(early) : undefined;
    if (typeof early === 'string' && known !== undefined && counts(known)) {
      const credentials = { scheme: 'Bearer', token: header.slice(usualStart.length) } as const;
      const found: Last = { header, credentials, verdict: known, digest: early };
      if (connection !== undefined && header.length <= longestLast) this.#last.set(connection, found);
      return this.#admit(request, credentials, found);
    }
    const credentials = readCredentials(header);
    if (credentials === undefined) return undefined;
    if (credentials === 'malformed') return this.#refusals.malformed();
    const isUsual = early !== undefined && credentials.token.length === header.length - usualStart.length;
    const digest = isUsual ? early : tokenDigest(credentials.token);
    if (typeof digest !== 'string') return digest.then((known) => this.#judge(request, credentials, known));
    return this.#judge(request, credentials, digest);
  }

  /** What a client of this time must put into its proofs. */
  nonceHeader(): Readonly<Record<string, string>> | undefined {
    const latest = this.#nonces?.latest;
    return latest === undefined ? undefined : { 'DPoP-Nonce': latest };
  }

  /** The metadata of the first issuer, for clients that look for it here. */
  async serverDocument(): Promise<{ readonly json: string } | AuthRefusal> {
    try {
      const [first = ''] = this.#settings.issuers;
      return { json: JSON.stringify(await this.#issuers.of(first)?.document()) };
    } catch {
      return this.#refusals.undecided();
    }
  }

  #judge(request: CredentialsRequest, credentials: Credentials, digest: string): Awaitable<Auth | AuthRefusal> {
    const known = this.#verdicts.good(digest);
    if (known !== undefined && counts(known)) return this.#admit(request, credentials, { verdict: known, digest });
    const refused = this.#verdicts.refused(digest);
    if (refused !== undefined) return refused;
    // Only what others have to be asked about: a signature costs no more than the refusal of who sends it, and whoever shares
    // an address with them must get in. Who was let in before is not hindered either.
    const asker = this.#check.asksAbout(credentials.token) ? request.address : undefined;
    const out = asker === undefined || known !== undefined ? 0 : this.#refusedFrom.secondsOut(asker, onlyLook);
    if (out > 0) return this.#refusals.tooMany(out);
    return whenThere(this.#verdictOn(credentials, digest), (verdict) => {
      if (!('status' in verdict)) return this.#admit(request, credentials, { verdict, digest });
      if (asker !== undefined && verdict.status === 401) this.#refusedFrom.secondsOut(asker, onlyGuess);
      return verdict;
    });
  }

  #verdictOn({ token, scheme }: Credentials, digest: string): Awaitable<Verdict | AuthRefusal> {
    const underWay = this.#checking.get(digest);
    if (underWay !== undefined && !inWorkers) return underWay;
    const checking = whenThere(this.#check.run(token, scheme), (verdict) => {
      this.#note(digest, verdict);
      return verdict;
    });
    if (!isThenable(checking)) return checking;
    this.#checking.set(digest, checking);
    return checking.finally(() => this.#checking.delete(digest));
  }

  #note(digest: string, verdict: Verdict | AuthRefusal): void {
    if (!('status' in verdict)) {
      if (verdict.atHand !== undefined) this.#verdicts.putAtHand(verdict, verdict.atHand);
      if (this.#settings.revalidateMs > 0) this.#verdicts.keep(digest, verdict);
    } else if (verdict.status < 500) this.#verdicts.keepRefused(digest, verdict);
  }

  /** Lets in who has a good token, if it is sent as it must be. */
  #admit(
    request: CredentialsRequest,
    { scheme, token }: Credentials,
    { verdict, digest }: { verdict: Verdict; digest: string },
  ): Awaitable<Auth | AuthRefusal> {
    const atHand = verdict.atHand ?? this.#verdicts.putAtHand(verdict, this.#check.atHand(verdict));
    const { caller, boundTo } = atHand;
    const isProven = scheme === 'DPoP';
    if (isProven !== (boundTo !== undefined) || (this.#settings.dpop === 'require' && !isProven)) {
      return this.#refusals.badToken(this.#settings.dpop === 'off' ? 'Bearer' : 'DPoP');
    }
    const admitted = this.#settings.exposeToken ? { ...caller, token } : caller;
    return isProven ? this.#proven(request, { atHand, digest }, admitted) : admitted;
  }

  #proven(
    request: CredentialsRequest,
    { atHand, digest }: { atHand: AtHand; digest: string },
    caller: OAuthCaller,
  ): Awaitable<Auth | AuthRefusal> {
    const { method } = request;
    const proof = request.header('dpop');
    const problem = proofProblem(proof, { method, url: this.#urlOf(request), token: digest, atHand }, this.#proofTerms);
    return whenThere(problem, (found) => {
      if (found === undefined) return caller;
      return whenThere(this.#nonces?.current(), (nonce) => this.#refusals.badProof(found, nonce?.current));
    });
  }

  /** The address of a request as its client sees it: the public one, whatever proxies made of it. */
  #urlOf({ path }: CredentialsRequest): string {
    const { resource, path: served } = this.#endpoint;
    return path.endsWith(served) ? resource : new URL(resource).origin + path;
  }
}
