import { type Awaitable, whenThere } from '../../jsonrpc/awaitable.ts';
import { toHex } from '../../runtime/hex.ts';
import { SaltedDigests, sameDigest, sha256 } from './key-digests.ts';
import { WrongKeys } from './wrong-keys.ts';
import type { Auth } from '../../server/exchange.ts';
import type { Authenticator, AuthRefusal, CredentialsRequest } from './authenticator.ts';
import { limits } from '../../limits.ts';

/** Which keys are accepted, and where they are looked for. */
export interface ApiKeyOptions {
  /** The header that carries the key. Default: `X-Api-Key`. */
  header?: string;
  /** Keys that are accepted: several while one is being replaced. */
  keys: readonly string[];
  /** How many wrong keys an address may send within 10 seconds before it is kept waiting. Default: 100. */
  maxGuesses?: number;
}

/** Lets in whoever sends one of the given keys. */
export function apiKey(options: ApiKeyOptions): Authenticator {
  const { header = 'X-Api-Key', keys, maxGuesses = limits.apiKeys.maxGuesses.value } = options;
  if (keys.length === 0 || keys.some((key) => key === ''))
    throw new TypeError('apiKey needs at least one key, and no empty one');
  const name = header.toLowerCase();
  const known = new KnownKeys(keys);
  const wrongKeys = new WrongKeys(maxGuesses);
  const wrong: AuthRefusal = {
    status: 401,
    message: `${header} is missing or wrong`,
    headers: { 'WWW-Authenticate': `ApiKey header="${header}"` },
  };
  return {
    header,
    authenticate(request) {
      const key = request.header(name) ?? '';
      return whenThere(known.ownerOf(key), (principal) => decide(request, key, principal));
    },
    challenge: () => wrong,
  };

  function decide(
    { address }: CredentialsRequest,
    key: string,
    principal: string | undefined,
  ): Auth | AuthRefusal | undefined {
    const out = address === undefined ? 0 : wrongKeys.secondsOut(address, { principal, empty: key === '' });
    if (out > 0) return tooMany(header, out);
    if (principal !== undefined) return { principal };
    return key === '' ? undefined : wrong;
  }
}

interface KnownKey {
  readonly digest: Uint8Array;
  readonly principal: string;
}

/** The keys that are accepted. Digests have one length, so that comparing takes the same time whatever was sent. */
class KnownKeys {
  readonly #keys: readonly string[];
  readonly #digests = new SaltedDigests();
  #known: readonly KnownKey[] | undefined;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** Who has this key; undefined: nobody. */
  ownerOf(key: string): Awaitable<string | undefined> {
    return whenThere(this.#all(), (known) =>
      whenThere(this.#digests.of(key), (given) => {
        const [owner] = known.filter(({ digest }) => sameDigest(digest, given));
        return owner?.principal;
      }),
    );
  }

  #all(): Awaitable<readonly KnownKey[]> {
    if (this.#known !== undefined) return this.#known;
    const all = this.#keys.map((key) =>
      whenThere(this.#digests.of(key), (digest) =>
        whenThere(sha256(key), (hash): KnownKey => ({ digest, principal: nameOf(hash) })),
      ),
    );
    const known = all.some((each) => each instanceof Promise)
      ? Promise.all(all.map(async (each) => each))
      : (all as KnownKey[]);
    return whenThere(known, (made) => {
      this.#known = made;
      return made;
    });
  }
}

function tooMany(header: string, seconds: number): AuthRefusal {
  const message = `Too many wrong values of ${header} from this address: try again in ${seconds} s`;
  return { status: 429, message, headers: { 'Retry-After': String(seconds) } };
}

/** The same on every instance, and after keys were added or taken away. */
function nameOf(hash: Uint8Array): string {
  return `key-${toHex(hash).slice(0, 12)}`;
}
