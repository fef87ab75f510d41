import { toHex } from '../../runtime/hex.ts';

/** The digest of a file's bytes, as a list of skills has it. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  return `sha256:${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}
