import { protocolVersions } from '@ccmcp/core/client';
import type { Headers } from '../../shared/http.ts';
import { masked, maskUrl } from '../secrets.ts';
import { RequestError, type Target } from '../targets.ts';
import { type SnippetCall, quoteText, quoteWord, headerWithVariable } from './snippet-call.ts';

const defaultHeaders: Headers = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
];

/** A call as sent over HTTP. */
export interface SentRequest {
  readonly headers: Headers;
  readonly body: string;
}

/** Formats a call as a cURL command, with the original headers, and variables in place of secrets. */
export function curlSnippet(
  { method, params, revision }: SnippetCall,
  target: Target,
  sent: SentRequest | undefined,
): string {
  if (target.kind !== 'url') {
    throw new RequestError('cURL needs HTTP, and this server does not use it', 'Copy it as a command of ccmcp.');
  }
  const headers = sent?.headers ?? defaultHeaders;
  const body = sent?.body ?? JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const url = quoteWord(maskUrl(target.url));
  const call = curlCommand(`-sN ${url}`, headers, body);
  return headers.some(isSession) ? [...sessionCommands(url, headers, revision), call].join('\n') : call;
}

/** Commands that open a new session: the inspector's session id is secret, and short-lived. */
function sessionCommands(
  url: string,
  headers: Headers,
  revision = protocolVersions.find(({ era }) => era === 'handshake')?.version,
): string[] {
  const clientInfo = { name: 'curl', version: '1.0.0' };
  const params = { protocolVersion: revision, capabilities: {}, clientInfo };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const others = headers.filter(([name]) => !/^mcp-(?:session-id|protocol-version)$/i.test(name));
  const found = `awk 'tolower($1) == "mcp-session-id:" { print $2 }'`;
  return [
    `MCP_SESSION_ID=$(${curlCommand(`-s -D - -o /dev/null ${url}`, others, hello)} | tr -d '\\r' | ${found})`,
    curlCommand(`-s -o /dev/null ${url}`, headers, ready),
  ];
}

function isSession([name]: Headers[number]): boolean {
  return /^mcp-session-id$/i.test(name);
}

function curlCommand(beginning: string, headers: Headers, body: string): string {
  const given = headers.map(([name, value]) => `-H ${headerWord(name, value)}`);
  return [`curl ${beginning}`, ...given, `--data-raw ${quoteText(body)}`].join(' \\\n  ');
}

function headerWord(name: string, value: string): string {
  if (!value.includes(masked)) return quoteText(`${name}: ${value}`);
  const [before, after] = value.split(masked);
  return headerWithVariable(name, before, after);
}
