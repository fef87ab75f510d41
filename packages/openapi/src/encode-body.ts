import { ToolError } from '@ccmcp/core';
import type { Body } from './body-plan.ts';
import type { InputPlan } from './input-plan.ts';
import { concatBytes } from './bytes.ts';
import { isObject, type JsonObject, memberOf } from './json.ts';
import { encode, type Pair, styleOf, toPairs, toText } from './serialize.ts';

/** A body and its content type. */
export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: string | Uint8Array<ArrayBuffer>;
}

/** Encodes the body from the arguments of a call; undefined if none of them belongs to it. Throws a `ToolError` if a file is none. */
export function encodeBody({ body, bodyArguments }: InputPlan, args: JsonObject): EncodedBody | undefined {
  const given = bodyArguments.filter(({ argument }) => args[argument] !== undefined);
  if (body === undefined) return undefined;
  const whole = given.find(({ part }) => part.name === undefined);
  if (whole !== undefined) return encodeWhole(body, args[whole.argument], whole.argument);
  // A body that is required may have no members.
  if (given.length === 0 && !(body.required && bodyArguments.every(({ part }) => part.name !== undefined)))
    return undefined;
  const members = given.map(
    ({ argument, part }): Member => ({ name: part.name as string, value: args[argument], isFile: part.isFile }),
  );
  return encodeMembers(body, members);
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  readonly isFile: boolean;
}

function encodeWhole(body: Body, value: unknown, argument: string): EncodedBody {
  const { kind, contentType } = body;
  if (kind === 'binary') {
    const { bytes, mimeType } = readFile(value, argument);
    return { contentType: contentType === 'application/octet-stream' ? (mimeType ?? contentType) : contentType, bytes };
  }
  if (kind === 'text') return { contentType, bytes: toText(value) };
  if (kind === 'json' || !isObject(value)) return { contentType, bytes: JSON.stringify(value) };
  return encodeMembers(
    body,
    Object.entries(value).map(([name, each]) => ({ name, value: each, isFile: false })),
  );
}

function encodeMembers(body: Body, members: readonly Member[]): EncodedBody {
  const { kind, contentType } = body;
  if (kind === 'multipart') return encodeMultipart(body, members);
  if (kind === 'form')
    return {
      contentType,
      bytes: members
        .flatMap((member) => formPairs(body, member))
        .map(toPair)
        .join('&'),
    };
  // Unlike an assignment, this makes a member of any name, `__proto__` too.
  return { contentType, bytes: JSON.stringify(Object.fromEntries(members.map(({ name, value }) => [name, value]))) };
}

function toPair([name, value]: Pair): string {
  return `${name}=${value}`;
}

function formPairs({ encoding }: Body, { name, value }: Member): Pair[] {
  const own = memberOf(encoding, name);
  const isStyled = isObject(own) && typeof own.style === 'string';
  // Without a style, an object is JSON.
  if (isObject(value) && !isStyled) return [[encode(name), encode(JSON.stringify(value))]];
  return toPairs(name, value, styleOf(isObject(own) ? own : {}, 'form'));
}

function encodeMultipart({ encoding }: Body, members: readonly Member[]): EncodedBody {
  const boundary = `ccmcp-${globalThis.crypto.randomUUID()}`;
  const chunks: Uint8Array[] = [];
  const write = (text: string): void => void chunks.push(new TextEncoder().encode(text));
  for (const { name, value, isFile } of members) {
    const own = memberOf(encoding, name);
    const contentType = memberOf(own, 'contentType');
    for (const each of Array.isArray(value) && (isFile || !isObject(own)) ? value : [value]) {
      const part = isFile ? readFile(each, name) : undefined;
      const filename = part === undefined ? '' : `; filename="${quoted(part.filename ?? name)}"`;
      const type = part?.mimeType ?? (typeof contentType === 'string' ? contentType.split(',', 1)[0] : undefined);
      const fallback = isFile ? 'application/octet-stream' : typeof each === 'object' ? 'application/json' : undefined;
      const header = type ?? fallback;
      write(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${filename}\r\n`);
      write(header === undefined ? '\r\n' : `Content-Type: ${headerValue(header)}\r\n\r\n`);
      if (part === undefined) write(toText(each));
      else chunks.push(part.bytes);
      write('\r\n');
    }
  }
  write(`--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: concatBytes(chunks) };
}

/** A name between quotes, as browsers encode it. */
function quoted(text: string): string {
  return text.replace(/["\r\n]/g, (character) => (character === '"' ? '%22' : character === '\r' ? '%0D' : '%0A'));
}

function headerValue(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '');
}

function readFile(
  value: unknown,
  argument: string,
): { bytes: Uint8Array<ArrayBuffer>; filename?: string; mimeType?: string } {
  const { text, base64, filename, mimeType } = (isObject(value) ? value : { text: value }) as Record<string, unknown>;
  const bytes =
    typeof base64 === 'string' ? decodeBase64(base64, argument) : new TextEncoder().encode(toText(text ?? ''));
  return {
    bytes,
    ...(typeof filename === 'string' && { filename }),
    ...(typeof mimeType === 'string' && { mimeType }),
  };
}

function decodeBase64(text: string, argument: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new ToolError(`"base64" of "${argument}" is not valid base64`);
  }
}
