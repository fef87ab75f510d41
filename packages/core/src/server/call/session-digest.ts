import { toHex } from '../../runtime/base64.ts';
import { sha256ByWebCrypto } from '../../runtime/sha256.ts';
import type { Operation } from './operation.ts';

/** A name of the request's session for keys in the store: the session id is a secret, so it is hashed. Undefined: no session. */
export async function sessionDigest({ sessionKey }: Pick<Operation, 'sessionKey'>): Promise<string | undefined> {
  if (sessionKey === undefined) return undefined;
  return toHex((await sha256ByWebCrypto(sessionKey)).subarray(0, 16));
}
