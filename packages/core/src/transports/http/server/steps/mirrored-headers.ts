import { briefJson, textOf } from '../../../../jsonrpc/text.ts';
import { headerMismatch, quoteBriefly } from '../../../../jsonrpc/errors.ts';
import { isObject, type Notification, type Request } from '../../../../jsonrpc/message.ts';
import { fromBase64, toBase64 } from '../../../../runtime/base64.ts';
import type { Engine } from '../../../../server/engine.ts';
import type { HttpRequest } from '../bindings/binding.ts';

/**
 * Checks the headers in which a stateless request repeats parts of its body, so that proxies can route without reading it:
 * its method, the name of what it calls, gets or reads, and the arguments whose schema is marked with `x-mcp-header`.
 */
export function checkMirroredHeaders(http: HttpRequest, request: Request, { methods, catalog }: Engine): void {
  const { method, params } = request;
  if (http.header('mcp-method') !== method) checkMethodHeader(http, request);
  const { mirrors, mirrorsArguments } = methods.of(method);
  const name = mirrors === undefined ? undefined : params?.[mirrors];
  if (typeof name === 'string') {
    const header = http.header('mcp-name');
    if (header === undefined) throw headerMismatch('Mcp-Name is missing');
    const decoded = decode('Mcp-Name', header);
    if (decoded !== name) {
      throw headerMismatch(`Mcp-Name is ${quoteBriefly(decoded)}, the body's "${mirrors}" is ${quoteBriefly(name)}`);
    }
  }
  if (!mirrorsArguments) return;
  const tool = catalog.tools.entries.get(String(params?.name));
  for (const { name, header, path } of tool?.mirrored ?? tool?.readMirrored() ?? []) {
    checkArgument(name, http.header(header), valueAt(params?.arguments, path));
  }
}

/** Checks the header with the method. */
export function checkMethodHeader(http: HttpRequest, { method }: Request | Notification): void {
  const header = http.header('mcp-method');
  if (header === undefined) throw headerMismatch('Mcp-Method is missing');
  if (header !== method)
    throw headerMismatch(`Mcp-Method is ${quoteBriefly(header)}, the body's method is ${quoteBriefly(method)}`);
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
    `${name} is ${quoteBriefly(decoded)}, the body's argument is ${quoteBriefly(briefJson(value, 200))}`,
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

/** Decodes a header value: text that a header can't carry is base64 between two markers. */
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
