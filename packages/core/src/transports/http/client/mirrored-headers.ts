import { maxCachedTools } from '../../../client/transport.ts';
import { isObject, type Request } from '../../../jsonrpc/message.ts';
import type { MethodFacts } from '../../../protocol/methods.ts';
import { MetaKey } from '../../../protocol/meta.ts';
import type { Result } from '../../../protocol/results.ts';
import { toBase64 } from '../../../runtime/base64.ts';
import { type MirroredArgument, mirroredArguments } from '../../../schema/mirrored-arguments.ts';

const encoder = new TextEncoder();

/** The headers that repeat parts of stateless requests, for intermediaries that don't read bodies. */
export class MirroredHeaders {
  readonly #arguments = new Map<string, readonly MirroredArgument[]>();

  /**
   * Records from a list of tools which arguments are mirrored. Returns the list without tools whose annotations are
   * invalid.
   */
  recordTools(result: Result, warn: (text: string) => void): Result {
    const { tools } = result;
    if (!Array.isArray(tools)) return result;
    const usable = tools.filter((tool: unknown) => {
      if (!isObject(tool) || typeof tool.name !== 'string') return true;
      try {
        this.#recordTool(tool.name, mirroredArguments(tool.inputSchema));
        return true;
      } catch (error) {
        warn(`Tool "${tool.name.slice(0, 128)}" is left out: ${(error as Error).message}`);
        return false;
      }
    });
    return usable.length === tools.length ? result : { ...result, tools: usable };
  }

  /** Most tools mirror nothing. Of the others, the oldest entry is evicted. */
  #recordTool(name: string, mirrored: readonly MirroredArgument[]): void {
    this.#arguments.delete(name);
    if (mirrored.length === 0) return;
    const [oldest] = this.#arguments.keys();
    if (this.#arguments.size >= maxCachedTools) this.#arguments.delete(oldest as string);
    this.#arguments.set(name, mirrored);
  }

  /** The mirrored headers of a request. */
  headersFor({ method, params = {} }: Request, { mirrors, mirrorsArguments }: MethodFacts): Record<string, string> {
    const meta = params._meta as Record<string, unknown>;
    const headers: Record<string, string> = {
      'mcp-protocol-version': String(meta[MetaKey.protocolVersion]),
      'mcp-method': method,
    };
    const name = mirrors === undefined ? undefined : params[mirrors];
    if (typeof name !== 'string') return headers;
    headers['mcp-name'] = encodeHeader(name);
    for (const { header, path } of (mirrorsArguments === true ? this.#arguments.get(name) : undefined) ?? []) {
      const value = valueAt(params.arguments, path);
      if (isPlain(value)) headers[header] = encodeHeader(String(value));
    }
    return headers;
  }
}

/** Encodes a header value: plain if possible, else in base64 between two markers. */
export function encodeHeader(text: string): string {
  const isSafe = /^[\t\x20-\x7e]*$/.test(text) && text.trim() === text && !/^=\?base64\?.*\?=$/.test(text);
  return isSafe ? text : `=?base64?${toBase64(encoder.encode(text))}?=`;
}

/** Only these fit into a header. The server rejects others. */
function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let part = value;
  for (const name of path) part = isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  return part;
}
