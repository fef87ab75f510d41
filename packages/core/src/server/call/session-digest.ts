import { toHex } from '../../runtime/base64.ts';
import type { Operation } from './operation.ts';

/** A name of the request's session for keys in the store: the session id is a secret, so it is hashed. Undefined: no session. */
export async function sessionDigest({ sessionKey }: Pick<Operation, 'sessionKey'>): Promise<string | undefined> {
  if (sessionKey === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sessionKey));
  return toHex(new Uint8Array(digest, 0, 16));
}
