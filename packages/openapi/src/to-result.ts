import {
  audio,
  type CallToolResult,
  type ContentBlock,
  embeddedResource,
  image,
  type JsonSchema,
  text,
} from '@ccmcp/core';
import { baseType } from './body-plan.ts';
import { toBase64 } from './bytes.ts';
import type { ApiResponse } from './call-operation.ts';
import type { FollowUp } from './follow-ups.ts';
import { conform, isJsonType } from './output-plan.ts';

/** The key in `_meta` of a result that has the calls that follow from it. */
const linksKey = 'io.github.ccmcp/links';

/** The maximum length of the body of an error. */
const maxErrorText = 8 * 1024;

/** A response with its body as text, and parsed. */
export interface ReadResponse {
  readonly response: ApiResponse;
  readonly type: string;
  /** Undefined for bytes that are no text. */
  readonly text: string | undefined;
  /** The value of a body that is JSON; undefined for others. */
  readonly value: unknown;
}

/** Decodes the body of a response. */
export function readResponse(response: ApiResponse): ReadResponse {
  const { bytes } = response;
  const contentType = response.header('content-type') ?? '';
  const type = baseType(contentType);
  const decoded = isTextType(type) ? decodeText(bytes, contentType) : undefined;
  const body = decoded === undefined ? undefined : response.redact(decoded);
  const isJson = isJsonType(type) || (type === '' && /^\s*[[{]/.test(body ?? ''));
  const value = body === undefined || !isJson ? undefined : parseJson(body);
  return { response, type, text: body, value };
}

/** The result of a call: the body, or an error with status and body. */
export async function toResult(
  read: ReadResponse,
  { title, output, followUps }: { title: string; output: JsonSchema | undefined; followUps: readonly FollowUp[] },
): Promise<Partial<CallToolResult> & { content: ContentBlock[] }> {
  const { response, value } = read;
  const { status } = response;
  if (status < 200 || status > 299) return { content: [text(errorText(title, read))], isError: true };
  const content = contentOf(read);
  if (followUps.length > 0) content.push(text(followUps.map(describeFollowUp).join('\n')));
  const meta = followUps.length > 0 && { _meta: { [linksKey]: followUps } };
  if (output === undefined) return { content, ...meta };
  const conforming = await conform(output, value);
  if ('structured' in conforming) return { content, structuredContent: conforming.structured, ...meta };
  const note = `The request was successful (${status}): do not repeat it for this. It is marked as an error because the response does not fit the output schema of the API's document: ${conforming.problem}.`;
  return { content: [...content, text(note)], isError: true, ...meta };
}

function describeFollowUp({ name, tool, arguments: args }: FollowUp): string {
  const what = name === 'next' ? 'Next page' : `Link "${name.slice(0, 60)}"`;
  return `${what}: call ${tool} with ${JSON.stringify(args)}`;
}

function contentOf({ response, type, text: body, value }: ReadResponse): ContentBlock[] {
  const { bytes, status, url } = response;
  if (bytes.byteLength === 0) return [text(`${status}, no content`)];
  if (body !== undefined) return [text(compact(body, value))];
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(type)) return [image(bytes, type)];
  if (type.startsWith('audio/')) return [audio(bytes, type)];
  const mimeType = type === '' ? 'application/octet-stream' : type;
  return [embeddedResource({ uri: `${url.origin}${url.pathname}`, mimeType, blob: toBase64(bytes) })];
}

/** JSON without its white space, unless numbers in it would lose digits. */
function compact(body: string, value: unknown): string {
  return value === undefined || !/\n|: /.test(body) || /\d{16}/.test(body) ? body : JSON.stringify(value);
}

function errorText(title: string, { response, type, text: body = '' }: ReadResponse): string {
  const shown = type === 'text/html' ? withoutHtml(body) : body;
  const cut = shown.length > maxErrorText ? `${shown.slice(0, maxErrorText)}… (${shown.length} characters)` : shown;
  const wait = response.header('retry-after');
  const advice = wait === undefined || wait.length > 40 ? '' : ` (Retry-After: ${wait})`;
  return `${title}: status ${response.status}${advice}${cut.trim() === '' ? '' : `\n${cut.trim()}`}`;
}

function withoutHtml(html: string): string {
  return html
    .slice(0, 20 * maxErrorText)
    .replace(/<(script|style)\b[^<>]{0,1000}>[^<]{0,100000}/gi, ' ')
    .replace(/<[^<>]{0,1000}>/g, ' ')
    .replace(/\s+/g, ' ');
}

const textTypes =
  /^(?:$|text\/.*|application\/(?:.*json|.*xml|.*yaml|javascript|x-www-form-urlencoded|graphql|x-ndjson|jsonl|problem\+.*))/;

function isTextType(type: string): boolean {
  return textTypes.test(type);
}

/** Undefined if bytes whose type nobody told are no text. */
function decodeText(bytes: Uint8Array, contentType: string): string | undefined {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]{1,40})/i.exec(contentType) ?? [];
  const options = { fatal: contentType === '' };
  // Text of an unknown encoding is mostly UTF-8.
  return decode(bytes, charset, options) ?? decode(bytes, 'utf-8', options);
}

function decode(bytes: Uint8Array, charset: string, options: { fatal: boolean }): string | undefined {
  try {
    return new TextDecoder(charset, options).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
