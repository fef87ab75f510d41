import { isObject, type JsonObject } from './json.ts';

/** How a value is written into a URL, a header or a form. */
export interface Style {
  readonly style: string;
  readonly explode: boolean;
  /** Leaves the delimiters of URLs as they are. */
  readonly allowReserved: boolean;
}

/** A name and a value, both encoded. */
export type Pair = readonly [name: string, value: string];

/** The style that a parameter or an `encoding` states, or else the default. */
export function styleOf(source: JsonObject, fallback: 'simple' | 'form'): Style {
  const style = typeof source.style === 'string' ? source.style : fallback;
  const explode = typeof source.explode === 'boolean' ? source.explode : style === 'form' || style === 'cookie';
  return { style, explode, allowReserved: source.allowReserved === true };
}

/** A value as a segment of a path: `simple`, `label` or `matrix`. */
export function toPathText(name: string, value: unknown, { style, explode, allowReserved }: Style): string {
  const encoded = (text: string): string => encode(text, allowReserved);
  const key = encode(name);
  if (style === 'matrix') return matrix(key, value, { explode, encoded });
  const separator = style === 'label' && explode ? '.' : ',';
  return (style === 'label' ? '.' : '') + simpleText(value, { explode, separator, encoded });
}

/** A value as the text of a header, which is not encoded. */
export function toHeaderText(value: unknown, { explode }: Style): string {
  return simpleText(value, { explode, separator: ',', encoded: (text) => text });
}

/** A value as pairs of a query, a form or cookies. */
export function toPairs(name: string, value: unknown, { style, explode, allowReserved }: Style): Pair[] {
  const encoded = (text: string): string => encode(text, allowReserved);
  const key = encode(name);
  if (style === 'deepObject') return deepPairs(key, value, encoded);
  const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
  if (Array.isArray(value)) {
    const texts = value.map((item) => encoded(toText(item)));
    if (explode) return texts.map((text) => [key, text]);
    return texts.length === 0 ? [] : [[key, texts.join(separator)]];
  }
  if (isObject(value)) {
    const members = membersOf(value);
    if (explode) return members.map(([member, text]) => [encode(member), encoded(text)]);
    return members.length === 0
      ? []
      : [[key, members.flatMap(([m, text]) => [encode(m), encoded(text)]).join(separator)]];
  }
  return [[key, encoded(toText(value))]];
}

/** Lists and objects in objects are numbered and named in further brackets, which most servers read. */
function deepPairs(key: string, value: unknown, encoded: (text: string) => string): Pair[] {
  if (typeof value !== 'object' || value === null) return [[key, encoded(toText(value))]];
  return Object.entries(value).flatMap(([name, part]) =>
    part === undefined ? [] : deepPairs(`${key}[${encode(name)}]`, part, encoded),
  );
}

interface Joining {
  readonly explode: boolean;
  readonly encoded: (text: string) => string;
}

function matrix(key: string, value: unknown, { explode, encoded }: Joining): string {
  if (explode && Array.isArray(value)) return value.map((item) => `;${key}=${encoded(toText(item))}`).join('');
  if (explode && isObject(value)) {
    return membersOf(value)
      .map(([name, text]) => `;${encode(name)}=${encoded(text)}`)
      .join('');
  }
  return `;${key}=${simpleText(value, { explode: false, separator: ',', encoded })}`;
}

function simpleText(value: unknown, { explode, separator, encoded }: Joining & { separator: string }): string {
  if (Array.isArray(value)) return value.map((item) => encoded(toText(item))).join(separator);
  if (!isObject(value)) return encoded(toText(value));
  const between = explode ? '=' : separator === '.' ? '.' : ',';
  return membersOf(value)
    .map(([name, text]) => `${encoded(name)}${between}${encoded(text)}`)
    .join(separator);
}

function membersOf(value: JsonObject): [name: string, text: string][] {
  return Object.entries(value).flatMap(([name, part]) => (part === undefined ? [] : [[name, toText(part)]]));
}

/** A value that no style applies to, as a text; objects as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

/** Halves of characters, which can't be encoded. */
const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Percent-encodes all but the unreserved characters; the delimiters of URLs are left where that is allowed. */
export function encode(text: string, allowReserved = false): string {
  const encoded = encodeURIComponent(text.replace(loneSurrogates, '\ufffd')).replace(/[!'()*]/g, toPercent);
  return allowReserved ? encoded.replace(/%(?:3A|2F|40|24|2C|3B|21|27|28|29|2A)/g, decodeURIComponent) : encoded;
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
