import { isObject } from '../../../jsonrpc/message.ts';
import { fromUtf8, textOf } from '../../../jsonrpc/utf8.ts';
import { limits } from '../../../limits.ts';
import { fromBase64 } from '../../../runtime/base64.ts';
import { hasNode } from '../../../runtime/kind.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A parsed compact JWS. Nothing is verified yet. */
export interface Jws {
  readonly header: Fields;
  readonly alg: string;
  /** The JSON that was signed. */
  readonly text: string;
  readonly payload: Fields;
  /** The signed content. */
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** The signature may be empty: an unsigned JWT must not count as an opaque token. */
const form = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Caches parsed headers: all tokens of one key have the same. */
const headers = new Map<string, Fields>();

/** True for a token in JWT form; others are opaque. */
export function looksLikeJws(token: string): boolean {
  return form.test(token) && headerIn(token.slice(0, token.indexOf('.'))) !== undefined;
}

/** Parses a JWS. Undefined if it is malformed, or has critical extensions (`crit`), of which none is supported. */
export function readJws(token: string): Jws | undefined {
  if (!form.test(token)) return undefined;
  const [first, last] = [token.indexOf('.'), token.lastIndexOf('.')];
  const header = headerIn(token.slice(0, first));
  const signature = bytesIn(token.slice(last + 1));
  if (header === undefined || signature === undefined || 'crit' in header || typeof header.alg !== 'string') {
    return undefined;
  }
  const text = textIn(token.slice(first + 1, last));
  const payload = text === undefined ? undefined : objectIn(text);
  if (text === undefined || payload === undefined) return undefined;
  return { header, alg: header.alg, text, payload, signed: token.slice(0, last), signature };
}

function headerIn(part: string): Fields | undefined {
  const known = headers.get(part);
  if (known !== undefined) return known;
  const text = textIn(part);
  const header = text === undefined ? undefined : objectIn(text);
  if (header === undefined || part.length > longestHeader) return header;
  const [oldest] = headers.keys();
  if (oldest !== undefined && headers.size >= limits.oauth.tokenHeaders.value) headers.delete(oldest);
  // A copy, because a slice would keep the whole token alive.
  headers.set(String.fromCharCode(...encoder.encode(part)), header);
  return header;
}

const encoder = new TextEncoder();
const longestHeader = 1000;

function textIn(part: string): string | undefined {
  const bytes = bytesIn(part);
  if (bytes === undefined) return undefined;
  return hasNode && bytes instanceof Buffer ? fromUtf8(bytes) : textOf(bytes);
}

/** Decodes a part. The alphabet was checked before, and checking it again would double the cost. */
function bytesIn(part: string): Uint8Array | undefined {
  if (!hasNode) return fromBase64(part);
  return part.length % 4 === 1 ? undefined : Buffer.from(part, 'base64url');
}

function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
