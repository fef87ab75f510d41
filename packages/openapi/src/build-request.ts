import { ToolError } from '@ccmcp/core';
import { encodeBody } from './encode-body.ts';
import type { InputPlan, ParameterArgument } from './input-plan.ts';
import { isObject, type JsonObject } from './json.ts';
import { encode, type Pair, styleOf, toHeaderText, toPairs, toPathText, toText } from './serialize.ts';

/** A request without credentials. */
export interface PlainRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly cookies: readonly Pair[];
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Where an operation is. */
export interface Target {
  readonly path: string;
  /** The URL of its server, without a slash at its end. */
  readonly base: string;
}

/** Builds the request for the arguments of a call. Throws a `ToolError` if a value can't be sent. */
export function buildRequest({ path, base }: Target, plan: InputPlan, args: JsonObject): PlainRequest {
  const at = (place: string): ParameterArgument[] =>
    plan.parameters.filter(({ parameter, argument }) => parameter.place === place && args[argument] !== undefined);
  const values = new Map(
    at('path').map(({ parameter, argument }) => [parameter.name, pathText(parameter, args[argument])]),
  );
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => values.get(name) ?? '');
  const query = [
    ...at('query').flatMap(({ parameter, argument }) => pairsOf(parameter, args[argument])),
    ...at('querystring').flatMap(({ argument }) =>
      toPairs('', args[argument], { style: 'form', explode: true, allowReserved: false }),
    ),
  ];
  const url = new URL(base + filled);
  assertInside(url, base);
  if (query.length > 0)
    url.search = `${url.search === '' ? '' : `${url.search.slice(1)}&`}${query.map(toPair).join('&')}`;
  const headers = Object.fromEntries(
    at('header').map(({ parameter, argument }) => [
      parameter.name.toLowerCase(),
      headerText(parameter, args[argument]),
    ]),
  );
  const body = encodeBody(plan, args);
  if (body !== undefined) headers['content-type'] = body.contentType;
  return {
    url,
    headers,
    cookies: at('cookie').flatMap(({ parameter, argument }) => pairsOf(parameter, args[argument])),
    body: body?.bytes,
  };
}

function toPair([name, value]: Pair): string {
  return `${name}=${value}`;
}

type Of = ParameterArgument['parameter'];

/** The text of a parameter with a content type in place of a style. */
function contentText({ value }: Of, given: unknown): string | undefined {
  return isObject(value.content) ? (typeof given === 'string' ? given : JSON.stringify(given)) : undefined;
}

function pairsOf(parameter: Of, given: unknown): Pair[] {
  const text = contentText(parameter, given);
  if (text !== undefined) return [[encode(parameter.name), encode(text)]];
  return toPairs(parameter.name, given, styleOf(parameter.value, 'form'));
}

function headerText(parameter: Of, given: unknown): string {
  const text = contentText(parameter, given) ?? toHeaderText(given, styleOf(parameter.value, 'simple'));
  // A line break would begin another header.
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw new ToolError(`"${parameter.name}" has characters that a header can't have`);
  return text;
}

function pathText(parameter: Of, given: unknown): string {
  const { name } = parameter;
  const texts = (isObject(given) || Array.isArray(given) ? Object.values(given) : [given]).map(toText);
  if (texts.join('') === '') throw new ToolError(`"${name}" must not be empty: it is a part of the path`);
  if (texts.some(leavesPath)) {
    throw new ToolError(`"${name}" must be one part of the path: no URL, and no ".." between slashes`);
  }
  const text = contentText(parameter, given);
  return text === undefined ? toPathText(name, given, styleOf(parameter.value, 'simple')) : encode(text);
}

/** True for values by which a request could reach another path or host, on servers that decode them too. */
function leavesPath(text: string): boolean {
  const decoded = decode(decode(text));
  return (
    /^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}/i.test(decoded) ||
    decoded.split(/[\\/]/).some((part) => /^\.{1,2}$/.test(part.trim()))
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whatever the arguments are, a request stays below the URL of its server. */
function assertInside(url: URL, base: string): void {
  const own = new URL(base);
  const isInside = url.origin === own.origin && `${url.pathname}/`.startsWith(own.pathname.replace(/\/?$/, '/'));
  if (!isInside || url.username !== '' || url.password !== '') throw new ToolError('The arguments lead out of the API');
}
