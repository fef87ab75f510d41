import { IsIri, IsIriReference, Set as setFormat } from 'typebox/format';
import { fromBase64 } from '../runtime/base64.ts';
import type { JsonSchema } from './infer.ts';
import { literalKeywords } from './keyword-sets.ts';
import { isSchemaObject, keywordOf } from './keywords.ts';
import { isDraft07, isKeywordRead } from './references.ts';

/** Keywords that give a schema an address; only valid where a schema is expected. */
const addresses = new Set(['$id', '$anchor', '$dynamicAnchor']);

/**
 * Converts a schema to 2020-12 for the validator: in draft-07, `$ref` overrides its siblings and the contents of
 * strings are validated. In any dialect, removes addresses from places where no schema is expected.
 */
export function toValidatorDialect(schema: JsonSchema, isOld = false): JsonSchema {
  const old = isDraft07(schema, isOld);
  const members = Object.entries(schema).filter(([keyword]) => !old || isKeywordRead(schema, keyword));
  const made = Object.fromEntries(members.map(([keyword, value]) => [keyword, toMember(keyword, value, old)]));
  return old ? addContentFormat(made) : made;
}

function toMember(keyword: string, value: unknown, isOld: boolean): unknown {
  const known = keywordOf(keyword);
  if (known === undefined) return literalKeywords.has(keyword) ? value : withoutAddresses(value);
  if (known.holds === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => toPart(item, isOld));
  if (!known.holds.map || !isSchemaObject(value)) return toPart(value, isOld);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toPart(part, isOld)]));
}

function toPart(part: unknown, isOld: boolean): unknown {
  return isSchemaObject(part) ? toValidatorDialect(part, isOld) : part;
}

function addContentFormat(schema: JsonSchema): JsonSchema {
  const { contentEncoding, contentMediaType } = schema;
  const isBase64 = contentEncoding === 'base64';
  const isJson = contentMediaType === 'application/json' && (isBase64 || contentEncoding === undefined);
  if (!isBase64 && !isJson) return schema;
  const format = isBase64 ? (isJson ? contentFormats.jsonInBase64 : contentFormats.base64) : contentFormats.json;
  if (schema.format === undefined) return Object.assign(schema, { format });
  return Object.assign(schema, { allOf: [...((schema.allOf as unknown[] | undefined) ?? []), { format }] });
}

/** A reference may point into an unknown keyword, but not by an address inside of it. */
function withoutAddresses(value: unknown, copies: Map<object, object> = new Map()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const made: object = Array.isArray(value) ? [] : {};
  copies.set(value, made);
  for (const [name, part] of Object.entries(value)) {
    if (addresses.has(name)) continue;
    const copy = withoutAddresses(part, copies);
    Object.defineProperty(made, name, { value: copy, enumerable: true, configurable: true, writable: true });
  }
  return made;
}

/** An IPvFuture address such as `[v1.fe]`, which RFC 3986 allows and the URL standard does not. */
const futureHost = /^((?:[a-z][\da-z+.-]*:)?\/\/(?:[^/?#@[\]]*@)?)\[v[\da-f]+\.[\w.~!$&'()*+,;=:-]+\](?=[:/?#]|$)/i;

/** Internal formats for `contentEncoding` and `contentMediaType` of draft-07. */
const contentFormats = { base64: 'base64', json: 'JSON', jsonInBase64: 'JSON in base64' } as const;

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
