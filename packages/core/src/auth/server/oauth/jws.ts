import { isObject } from '../../../jsonrpc/message.ts';
import { textOf } from '../../../jsonrpc/utf8.ts';
import { fromBase64 } from '../../../runtime/base64.ts';

/** A signed text in its compact form, taken apart. Nothing of it is checked yet. */
export interface Jws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly alg: string;
  /** The JSON that was signed. */
  readonly text: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What the signature is over. */
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** Also without a signature: who leaves it out must not be taken for one who sends something else. */
const form = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** True for what looks like a JWT: anything else means something to its issuer alone. */
export function looksLikeJws(token: string): boolean {
  return form.test(token) && objectIn(token.slice(0, token.indexOf('.'))) !== undefined;
}

/**
 * Takes a JWS apart. Undefined for what is none, and for one that must not be taken by who does not know all its extensions
 * (`crit`): none is known here.
 */
export function readJws(token: string): Jws | undefined {
  if (!form.test(token)) return undefined;
  const [first, last] = [token.indexOf('.'), token.lastIndexOf('.')];
  const header = objectIn(token.slice(0, first))?.value;
  const signature = fromBase64(token.slice(last + 1));
  if (header === undefined || signature === undefined || 'crit' in header || typeof header.alg !== 'string') {
    return undefined;
  }
  const content = objectIn(token.slice(first + 1, last));
  if (content === undefined) return undefined;
  const { text, value: payload } = content;
  return { header, alg: header.alg, text, payload, signed: token.slice(0, last), signature };
}

function objectIn(part: string): { text: string; value: Readonly<Record<string, unknown>> } | undefined {
  const bytes = fromBase64(part);
  const text = bytes === undefined ? undefined : textOf(bytes);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { text, value } : undefined;
  } catch {
    return undefined;
  }
}
