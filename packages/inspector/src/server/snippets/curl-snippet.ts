import { protocolVersions } from '@ccmcp/core/client';
import type { Headers } from '../../shared/http.ts';
import { masked, maskUrl } from '../secrets.ts';
import { Refusal, type Target } from '../targets.ts';
import { type CopiedCall, literal, quotedWord, withVariable } from './snippet-call.ts';

const usual: Headers = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
];

/** How a call was sent by HTTP. */
export interface SentCall {
  readonly headers: Headers;
  readonly body: string;
}

/** A call as a command of cURL: with the headers it was sent with, and variables in place of secrets. */
export function asCurl({ method, params, revision }: CopiedCall, target: Target, sent: SentCall | undefined): string {
  if (target.kind !== 'url') {
    throw new Refusal('cURL speaks HTTP, and this server is not reached by that', 'Copy it as a command of ccmcp.');
  }
  const headers = sent?.headers ?? usual;
  const body = sent?.body ?? JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const url = quotedWord(maskUrl(target.url));
  const call = curl(`-sN ${url}`, headers, body);
  return headers.some(isSession) ? [...session(url, headers, revision), call].join('\n') : call;
}

/** What makes a session of one's own: that of the inspector is a secret, and ends with it. */
function session(
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
    `MCP_SESSION_ID=$(${curl(`-s -D - -o /dev/null ${url}`, others, hello)} | tr -d '\\r' | ${found})`,
    curl(`-s -o /dev/null ${url}`, headers, ready),
  ];
}

function isSession([name]: Headers[number]): boolean {
  return /^mcp-session-id$/i.test(name);
}

function curl(beginning: string, headers: Headers, body: string): string {
  const given = headers.map(([name, value]) => `-H ${headerWord(name, value)}`);
  return [`curl ${beginning}`, ...given, `--data-raw ${literal(body)}`].join(' \\\n  ');
}

function headerWord(name: string, value: string): string {
  if (!value.includes(masked)) return literal(`${name}: ${value}`);
  const [before, after] = value.split(masked);
  return withVariable(name, before, after);
}
