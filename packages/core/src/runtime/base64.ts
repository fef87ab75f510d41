/** A hundred thousand arguments are too many for a call in some engines. */
const mostArguments = 8192;

/** Bytes, and how they are written in base64. */
export interface Base64 {
  encode(bytes: Uint8Array): string;
  /** Undefined for what is no base64. Padding may be missing, and both alphabets are taken. */
  decode(text: string): Uint8Array | undefined;
}

const alphabet = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** With what every runtime has. */
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
      return Uint8Array.from(atob(inFirstAlphabet(text)), (character) => character.charCodeAt(0));
    } catch {
      return undefined;
    }
  },
};

/** As much of Node's as is used: this file is also part of pages, which are checked without the types of Node. */
interface BufferOfNode {
  from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64'): Uint8Array;
}

const { Buffer } = globalThis as { Buffer?: BufferOfNode };

/** With what Node has for it, which is many times as quick. */
function base64OfNode(buffer: BufferOfNode): Base64 {
  return {
    encode: (bytes) => buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    decode: (text) => (isBase64(text) ? buffer.from(text, 'base64') : undefined),
  };
}

const base64 = Buffer === undefined ? portableBase64 : base64OfNode(Buffer);

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/** Bytes in the alphabet that fits into URLs and headers, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return base64.encode(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The bytes behind base64 of either alphabet, with padding or without; undefined for what is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  return base64.decode(text);
}

function isBase64(text: string): boolean {
  if (!alphabet.test(text)) return false;
  const length = text.endsWith('=') ? text.indexOf('=') : text.length;
  return length % 4 !== 1;
}

function inFirstAlphabet(text: string): string {
  if (!isBase64(text)) throw new TypeError('no base64');
  return text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
}
