import { IsIri, IsIriReference, Set as setFormat } from 'typebox/format';
import { fromBase64 } from '../runtime/base64.ts';

/** An address of a kind to come, which RFC 3986 has and the URLs of browsers do not: `[v1.fe]`. */
const futureHost = /^((?:[a-z][\da-z+.-]*:)?\/\/(?:[^/?#@[\]]*@)?)\[v[\da-f]+\.[\w.~!$&'()*+,;=:-]+\](?=[:/?#]|$)/i;

/** The names of formats for what draft-07 says of the contents of a text. */
export const contentFormats = { base64: 'base64', json: 'JSON', jsonInBase64: 'JSON in base64' } as const;

/** Teaches the validator the formats that it lacks, or has a gap in. */
export function registerFormats(): void {
  const known = (text: string): string => text.replace(futureHost, '$1[::1]');
  setFormat('iri', (text) => IsIri(known(text)));
  setFormat('iri-reference', (text) => IsIriReference(known(text)));
  setFormat(contentFormats.base64, (text) => decodeBase64(text) !== undefined);
  setFormat(contentFormats.json, isJson);
  setFormat(contentFormats.jsonInBase64, (text) => {
    const bytes = decodeBase64(text);
    return bytes !== undefined && isJson(new TextDecoder().decode(bytes));
  });
}

/** As RFC 2045 has it: padded, and perhaps in lines. */
function decodeBase64(text: string): Uint8Array | undefined {
  const joined = text.replace(/[\t\n\r ]/g, '');
  return joined.length % 4 === 0 && !/[-_]/.test(joined) ? fromBase64(joined) : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
