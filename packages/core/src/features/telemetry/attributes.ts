import { briefJson } from '../../jsonrpc/text.ts';
import type { Attributes } from '@opentelemetry/api';
import { isObject, type Params, type RequestId } from '../../jsonrpc/message.ts';
import { shortDigest } from '../../runtime/short-digest.ts';
import type { TelemetryOptions } from './options.ts';

/** The maximum length of a span attribute, in characters; longer ones are truncated. */
const maxLength = 1024;
/** The maximum length of arguments or results in a span, in characters; longer ones are truncated. */
const maxContents = 8192;

/** The named target of an operation: a tool or a prompt. */
export interface Target {
  readonly attribute: 'gen_ai.tool.name' | 'gen_ai.prompt.name';
  readonly name: string;
}

/** The tool or prompt of a request. */
export function targetOf(method: string, params: Params): Target | undefined {
  if (method === 'tools/call') return toTarget('gen_ai.tool.name', params.name);
  if (method === 'prompts/get') return toTarget('gen_ai.prompt.name', params.name);
  if (method !== 'completion/complete' || !isObject(params.ref) || params.ref.type !== 'ref/prompt') return undefined;
  return toTarget('gen_ai.prompt.name', params.ref.name);
}

function toTarget(attribute: Target['attribute'], name: unknown): Target | undefined {
  return typeof name === 'string' ? { attribute, name: truncate(name) } : undefined;
}

/** Span-only attributes of a request. */
export function requestAttributes(
  { id, method, params }: { id?: RequestId; method: string; params: Params },
  { contents = false }: TelemetryOptions,
): Attributes {
  const { uri } = params;
  return {
    ...(id !== undefined && { 'jsonrpc.request.id': truncate(String(id)) }),
    ...(method.startsWith('resources/') && typeof uri === 'string' && { 'mcp.resource.uri': truncate(uri) }),
    ...(contents && method === 'tools/call' && { 'gen_ai.tool.call.arguments': toJson(params.arguments ?? {}) }),
  };
}

/** Span attributes of a session. */
export function sessionAttributes(session: string | undefined, { sessionId = 'digest' }: TelemetryOptions): Attributes {
  if (session === undefined || sessionId === 'none') return {};
  const shown = sessionId === 'plain' ? session : shortDigest(session);
  return shown === undefined ? {} : { 'mcp.session.id': shown };
}

/** Attributes of the transport. */
export function networkAttributes(transport: string | undefined): Attributes {
  if (transport === 'stdio') return { 'network.transport': 'pipe' };
  if (transport === 'http' || transport === 'sse') {
    return { 'network.transport': 'tcp', 'network.protocol.name': 'http' };
  }
  return {};
}

/** Attributes of the server address. */
export function serverAttributes(endpoint: string | undefined): Attributes {
  if (endpoint === undefined || !URL.canParse(endpoint)) return {};
  const { hostname, port, protocol } = new URL(endpoint);
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** The tool result as an attribute, if contents are enabled. */
export function resultAttributes(method: string, result: unknown, { contents = false }: TelemetryOptions): Attributes {
  return contents && method === 'tools/call' && isObject(result) ? { 'gen_ai.tool.call.result': toJson(result) } : {};
}

/** Truncates a text for an attribute. */
export function truncate(text: string, most: number = maxLength): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function toJson(value: unknown): string {
  return truncate(briefJson(value, maxContents + 1), maxContents);
}
