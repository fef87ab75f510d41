import { briefJson } from '../../../../jsonrpc/brief-json.ts';
import { headerMismatch, quotedBriefly } from '../../../../jsonrpc/errors.ts';
import { isObject, type Notification, type Request } from '../../../../jsonrpc/message.ts';
import { textOf } from '../../../../jsonrpc/utf8.ts';
import type { MethodFacts } from '../../../../protocol/methods.ts';
import { fromBase64, toBase64 } from '../../../../runtime/base64.ts';
import type { Engine } from '../../../../server/engine.ts';
import type { HttpRequest } from '../bindings/binding.ts';

/**
 * Stateless requests repeat parts of their body in headers, so that what stands between client and server can route
 * without reading it. What the headers say must be what the body says.
 */

/** Checks the header that names the method. */
export function checkMethod(http: HttpRequest, { method }: Request | Notification): void {
  const header = http.header('mcp-method');
  if (header === undefined) throw headerMismatch('Mcp-Method is missing');
  if (header !== method)
    throw headerMismatch(`Mcp-Method is ${quotedBriefly(header)}, the body's method is ${quotedBriefly(method)}`);
}

/** Checks the header that names what is called, got or read. */
export function checkName(http: HttpRequest, { params }: Request, { mirrors: member }: MethodFacts): void {
  if (member === undefined) return;
  const name = params?.[member];
  if (typeof name !== 'string') return;
  const header = http.header('mcp-name');
  if (header === undefined) throw headerMismatch('Mcp-Name is missing');
  const decoded = decode('Mcp-Name', header);
  if (decoded !== name) {
    throw headerMismatch(`Mcp-Name is ${quotedBriefly(decoded)}, the body's "${member}" is ${quotedBriefly(name)}`);
  }
}

/** Checks the headers that repeat arguments of a tool: those whose schema is marked with `x-mcp-header`. */
export function checkArguments(
  http: HttpRequest,
  { params }: Request,
  { mirrorsArguments }: MethodFacts,
  { tools }: Engine,
): void {
  if (!mirrorsArguments) return;
  for (const { name, header, path } of tools.entry(String(params?.name))?.mirrored ?? []) {
    checkArgument(name, http.header(header), valueAt(params?.arguments, path));
  }
}

function checkArgument(name: string, header: string | undefined, value: unknown): void {
  if (value === undefined || value === null) {
    if (header !== undefined) throw headerMismatch(`${name} is there, but the body has no such argument`);
    return;
  }
  if (header === undefined) throw headerMismatch(`${name} is missing: the body has a value for that argument`);
  const decoded = decode(name, header);
  if (sameValue(decoded, value)) return;
  throw headerMismatch(
    `${name} is ${quotedBriefly(decoded)}, the body's argument is ${quotedBriefly(briefJson(value, 200))}`,
  );
}

function sameValue(text: string, value: unknown): boolean {
  if (typeof value === 'number') return isDecimal(text) && Number(text) === value;
  return text === (typeof value === 'string' ? value : briefJson(value, text.length + 1));
}

function isDecimal(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let part = value;
  for (const name of path) part = isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  return part;
}

/** Texts that a header can't carry as they are come in base64 between two markers. */
function decode(name: string, value: string): string {
  if (/[^\t\x20-\x7e]/.test(value))
    throw headerMismatch(`${name} has characters that a header can't carry: use =?base64?…?=`);
  if (!value.startsWith('=?base64?') || !value.endsWith('?=') || value.length < 11) return value;
  const encoded = value.slice(9, -2);
  const bytes = fromBase64(encoded);
  const text = bytes === undefined ? undefined : textOf(bytes);
  if (bytes === undefined || toBase64(bytes) !== encoded || text === undefined)
    throw headerMismatch(`${name} is not valid base64 of UTF-8 text`);
  return text;
}
