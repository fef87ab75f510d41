/** Some engines limit the number of arguments of a call. */
const mostArguments = 8192;

/** A base64 codec. */
export interface Base64 {
  encode(bytes: Uint8Array): string;
  /** Undefined for invalid base64. Accepts both alphabets; padding is optional. */
  decode(text: string): Uint8Array | undefined;
}

const alphabet = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** A codec for every runtime. */
export const portableBase64: Base64 = {
  encode(bytes) {
    let text = '';
    for (let at = 0; at < bytes.length; at += mostArguments) {
      text += String.fromCharCode(...bytes.subarray(at, at + mostArguments));
    }
    return btoa(text);
  },
  decode(text) {
    try {
      return Uint8Array.from(atob(toStandardAlphabet(text)), (character) => character.charCodeAt(0));
    } catch {
      return undefined;
    }
  },
};

/** The used subset of Node's `Buffer`: pages include this file and are compiled without Node's types. */
interface BufferOfNode {
  from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64'): Uint8Array;
}

const { Buffer } = globalThis as { Buffer?: BufferOfNode };

/** A codec on Node's `Buffer`, which is many times faster. */
function base64OfNode(buffer: BufferOfNode): Base64 {
  return {
    encode: (bytes) => buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    decode: (text) => (isBase64(text) ? buffer.from(text, 'base64') : undefined),
  };
}

const base64 = Buffer === undefined ? portableBase64 : base64OfNode(Buffer);

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/** Encodes bytes as base64url, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return base64.encode(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decodes base64 or base64url, with or without padding; undefined if it is invalid. */
export function fromBase64(text: string): Uint8Array | undefined {
  return base64.decode(text);
}

function isBase64(text: string): boolean {
  if (!alphabet.test(text)) return false;
  const length = text.endsWith('=') ? text.indexOf('=') : text.length;
  return length % 4 !== 1;
}

function toStandardAlphabet(text: string): string {
  if (!isBase64(text)) throw new TypeError('no base64');
  return text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
}

/** Encodes bytes as hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
