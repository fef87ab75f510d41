import { IsIri, IsIriReference, Set as setFormat } from 'typebox/format';
import { fromBase64 } from '../runtime/base64.ts';

/** An IPvFuture address such as `[v1.fe]`, which RFC 3986 allows and the URL standard does not. */
const futureHost = /^((?:[a-z][\da-z+.-]*:)?\/\/(?:[^/?#@[\]]*@)?)\[v[\da-f]+\.[\w.~!$&'()*+,;=:-]+\](?=[:/?#]|$)/i;

/** Internal formats for `contentEncoding` and `contentMediaType` of draft-07. */
export const contentFormats = { base64: 'base64', json: 'JSON', jsonInBase64: 'JSON in base64' } as const;

/** Registers formats that the validator lacks or implements incompletely. */
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

/** Base64 of RFC 2045: padded, line breaks allowed. */
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
