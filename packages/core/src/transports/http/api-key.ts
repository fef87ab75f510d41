import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Authenticator } from './handler.ts';

export interface ApiKeyOptions {
  /** The header that carries the key. Default: `X-Api-Key`. */
  header?: string;
  /** Keys that are accepted: several while one is being replaced. */
  keys: readonly string[];
}

/** Lets in whoever sends one of the given keys. */
export function apiKey({ header = 'X-Api-Key', keys }: ApiKeyOptions): Authenticator {
  if (keys.length === 0 || keys.some((key) => key === ''))
    throw new TypeError('apiKey needs at least one key, and no empty one');
  const salt = randomBytes(32);
  // Digests have one length, so that comparing them takes the same time whatever was sent.
  const digest = (key: string): Buffer => createHmac('sha256', salt).update(key).digest();
  const known = keys.map((key) => ({ digest: digest(key), principal: nameOf(key) }));
  const name = header.toLowerCase();
  return {
    header,
    authenticate(request) {
      const given = digest(request.header(name) ?? '');
      const [owner] = known.filter((key) => timingSafeEqual(key.digest, given));
      if (owner !== undefined) return { principal: owner.principal };
      return {
        status: 401,
        message: `${header} is missing or wrong`,
        headers: { 'WWW-Authenticate': `ApiKey header="${header}"` },
      };
    },
  };
}

/** The same on every instance, and after keys were added or taken away. */
function nameOf(key: string): string {
  return `key-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}
