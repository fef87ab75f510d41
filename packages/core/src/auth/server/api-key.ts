import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { WrongKeys } from './wrong-keys.ts';
import type { Authenticator, AuthRefusal } from './authenticator.ts';
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
  const salt = randomBytes(32);
  // Digests have one length, so that comparing them takes the same time whatever was sent.
  const digest = (key: string): Buffer => createHmac('sha256', salt).update(key).digest();
  const known = keys.map((key) => ({ digest: digest(key), principal: nameOf(key) }));
  const name = header.toLowerCase();
  const wrongKeys = new WrongKeys(maxGuesses);
  return {
    header,
    authenticate(request) {
      const key = request.header(name) ?? '';
      const given = digest(key);
      const [owner] = known.filter((one) => timingSafeEqual(one.digest, given));
      const principal = owner?.principal;
      const { address } = request;
      const out = address === undefined ? 0 : wrongKeys.secondsOut(address, { principal, empty: key === '' });
      if (out > 0) return tooMany(header, out);
      if (principal !== undefined) return { principal };
      return {
        status: 401,
        message: `${header} is missing or wrong`,
        headers: { 'WWW-Authenticate': `ApiKey header="${header}"` },
      };
    },
  };
}

function tooMany(header: string, seconds: number): AuthRefusal {
  const message = `Too many wrong values of ${header} from this address: try again in ${seconds} s`;
  return { status: 429, message, headers: { 'Retry-After': String(seconds) } };
}

/** The same on every instance, and after keys were added or taken away. */
function nameOf(key: string): string {
  return `key-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}
