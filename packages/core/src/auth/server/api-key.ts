import { type Awaitable, mapAwaitable } from '../../jsonrpc/awaitable.ts';
import { assertKnownOptions } from '../../schema/known-options.ts';
import { toHex } from '../../runtime/base64.ts';
import { SaltedDigests, equalDigests, sha256 } from './key-digests.ts';
import { GuessLimiter } from './guess-limiter.ts';
import type { Auth } from '../../server/peer.ts';
import { validateScopes } from '../../features/scopes/scope-rule.ts';
import type { Authenticator, AuthRejection, CredentialsRequest } from './authenticator.ts';
import { checkLimits, limits } from '../../limits.ts';

/** An accepted key and its owner. */
export interface ApiKey {
  key: string;
  /** The owner (principal), equal for several keys of one owner. Default: a name derived from the key. */
  name?: string;
  /** The scopes of the owner. Default: the `scopes` of all keys. */
  scopes?: readonly string[];
}

/** Options of `apiKey`. */
export interface ApiKeyOptions {
  /** The header that carries the key. Default: `X-Api-Key`. */
  header?: string;
  /** The accepted keys; several during rotation. */
  keys: readonly (string | ApiKey)[];
  /** The scopes of callers with these keys. Default: all. */
  scopes?: readonly string[];
  /** How many wrong keys an address may send within 10 seconds before it is blocked. Default: 100. */
  maxGuesses?: number;
}

const optionNames = Object.keys({
  header: true,
  keys: true,
  scopes: true,
  maxGuesses: true,
} satisfies Record<keyof ApiKeyOptions, true>);
const keyMembers = Object.keys({ key: true, name: true, scopes: true } satisfies Record<keyof ApiKey, true>);

/** Authenticates callers by API key. */
export function apiKey(options: ApiKeyOptions): Authenticator {
  // A misspelt `scopes` would grant everything.
  assertKnownOptions('apiKey', options, optionNames);
  checkLimits('apiKey', options);
  const { header = 'X-Api-Key', keys, maxGuesses = limits.apiKeys.maxGuesses.value } = options;
  if (!Array.isArray(keys)) throw new TypeError("apiKey: keys must be a list, such as keys: ['…']");
  if (keys.length === 0 || keys.some((given) => keyOf(given) === ''))
    throw new TypeError('apiKey needs at least one key, and no empty one');
  const name = header.toLowerCase();
  const known = new KnownKeys(keys.map((given) => toApiKey(given, options.scopes)));
  const wrongKeys = new GuessLimiter(maxGuesses);
  const wrong: AuthRejection = {
    status: 401,
    message: `${header} is missing or wrong`,
    headers: { 'WWW-Authenticate': `ApiKey header="${header}"` },
  };
  return {
    header,
    authenticate(request) {
      const key = request.header(name) ?? '';
      return mapAwaitable(known.ownerOf(key), (owner) => decide(request, key, owner));
    },
    challenge: (_, { needed, caller }) => (caller === undefined ? wrong : insufficientScope(needed)),
  };

  function decide(
    { address }: CredentialsRequest,
    key: string,
    owner: Auth | undefined,
  ): Auth | AuthRejection | undefined {
    const { principal } = owner ?? {};
    const out = address === undefined ? 0 : wrongKeys.secondsBlocked(address, { principal, empty: key === '' });
    if (out > 0) return tooManyAttempts(header, out);
    if (owner !== undefined) return owner;
    return key === '' ? undefined : wrong;
  }
}

/** Signing in can't extend the scopes of a key, so there is no challenge. */
function insufficientScope(needed: readonly string[]): AuthRejection {
  return { status: 403, message: `This key may not do that: it needs the scopes ${needed.join(', ')}` };
}

function keyOf(given: string | ApiKey): string {
  const { key } = typeof given === 'string' ? { key: given } : given;
  if (typeof key !== 'string') throw new TypeError('apiKey: write each key as a text, or as { key: "…", name: "…" }');
  if (typeof given !== 'string') assertKnownOptions('A key of apiKey', given, keyMembers);
  return key;
}

function toApiKey(given: string | ApiKey, ofAll: readonly string[] | undefined): ApiKey {
  const { key, name, scopes = ofAll } = typeof given === 'string' ? { key: given } : given;
  if (name === '') throw new TypeError('apiKey: the name of a key is empty');
  return { key, ...(name !== undefined && { name }), ...(scopes && { scopes: validateScopes('apiKey', scopes) }) };
}

interface KnownKey {
  readonly digest: Uint8Array;
  readonly owner: Auth;
}

/** The accepted keys. Compares digests of equal length, in constant time. */
class KnownKeys {
  readonly #keys: readonly ApiKey[];
  readonly #digests = new SaltedDigests();
  #known: readonly KnownKey[] | undefined;

  constructor(keys: readonly ApiKey[]) {
    this.#keys = keys;
  }

  /** The owner of this key, or undefined. */
  ownerOf(key: string): Awaitable<Auth | undefined> {
    return mapAwaitable(this.#all(), (known) =>
      mapAwaitable(this.#digests.of(key), (given) => {
        const [found] = known.filter(({ digest }) => equalDigests(digest, given));
        return found?.owner;
      }),
    );
  }

  #all(): Awaitable<readonly KnownKey[]> {
    if (this.#known !== undefined) return this.#known;
    const all = this.#keys.map(({ key, name, scopes }) =>
      mapAwaitable(this.#digests.of(key), (digest) =>
        mapAwaitable(sha256(key), (hash): KnownKey => {
          const owner: Auth = { principal: name ?? defaultName(hash), ...(scopes && { scopes }) };
          return { digest, owner };
        }),
      ),
    );
    const known = all.some((each) => each instanceof Promise)
      ? Promise.all(all.map(async (each) => each))
      : (all as KnownKey[]);
    return mapAwaitable(known, (made) => {
      this.#known = made;
      return made;
    });
  }
}

function tooManyAttempts(header: string, seconds: number): AuthRejection {
  const message = `Too many wrong values of ${header} from this address: try again in ${seconds} s`;
  return { status: 429, message, headers: { 'Retry-After': String(seconds) } };
}

/** Equal on every instance, and after keys were added or removed. */
function defaultName(hash: Uint8Array): string {
  return `key-${toHex(hash).slice(0, 12)}`;
}
