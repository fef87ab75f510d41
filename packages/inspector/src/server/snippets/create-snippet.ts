import type { InspectorEvent } from '../../shared/events.ts';
import type { RecordedCall } from '../../shared/requests.ts';
import type { InspectorContext } from '../context.ts';
import { cliSnippet } from './cli-snippet.ts';
import { type SnippetCall, quoteText, quoteWord, headerWithVariable } from './snippet-call.ts';
import { mask, maskUrl } from '@ccmcp/core/recording';
import { RequestError, type Target } from '../targets.ts';
import { protocolVersions } from '@ccmcp/core/client';
import type { Headers } from '../../shared/messages.ts';

/** Snippet formats. */
export type SnippetForm = 'curl' | 'command' | 'test';

/** Creates a snippet that repeats a call elsewhere. */
export function createSnippet(form: SnippetForm, call: SnippetCall, context: InspectorContext): string {
  if (form === 'test') return testSnippet(call);
  const { lists, state } = context.connections.get(call.connection);
  const { effectiveTarget, revision } = state;
  if (form === 'curl')
    return curlSnippet(
      { ...call, revision },
      effectiveTarget,
      call.id === undefined ? undefined : findSentRequest(call.id, context),
    );
  const tool = call.method === 'tools/call' ? lists.entry('tools', String(call.params.name)) : undefined;
  return cliSnippet({ ...call, inputSchema: tool?.inputSchema }, effectiveTarget);
}

/** Creates a snippet from a recorded call. */
export function createRecordedSnippet(form: SnippetForm, recorded: RecordedCall): string {
  const call = { connection: '', ...recorded };
  if (form === 'test') return testSnippet(call);
  const target = toTarget(recorded);
  return form === 'command' ? cliSnippet(call, target) : curlSnippet(call, target, recorded.sent);
}

/** The HTTP request of a call, if still stored. */
function findSentRequest(call: string, { log }: InspectorContext): SentRequest | undefined {
  let request: InspectorEvent<'http-request'> | undefined;
  for (const { n, json } of log.after(0)) {
    const event = JSON.parse(json) as InspectorEvent;
    if (event.type === 'http-request' && event.call === call && event.method === 'POST') request ??= event;
    if (event.type !== 'message' || event.from !== 'client' || event.exchange !== request?.exchange) continue;
    if (request !== undefined) return { headers: request.headers, body: log.texts.get(n)?.text ?? event.text };
  }
  return undefined;
}

/** Target of a recorded call. It is never started or called. */
function toTarget({ target: { kind, label, detail }, sent }: RecordedCall): Target {
  if (kind === 'url') {
    if (!URL.canParse(detail)) throw new RequestError('The recording does not contain the URL of this server');
    const secrets = (sent?.headers ?? []).filter(([, value]) => value.includes(mask));
    return { kind, label, url: detail, headers: Object.fromEntries(secrets) };
  }
  const [command = label, ...args] = splitShellWords(label);
  return { kind: 'command', label, command, args };
}

/** Splits a shell command line into words. */
function splitShellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"]|['"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

const defaultHeaders: Headers = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
];

/** A call as sent over HTTP. */
interface SentRequest {
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
  if (!value.includes(mask)) return quoteText(`${name}: ${value}`);
  const [before, after] = value.split(mask);
  return headerWithVariable(name, before, after);
}

const testing = '@ccmcp/core/testing';

/** Formats a call as a `node:test` test with `@ccmcp/core/testing` that expects the recorded result. */
export function testSnippet({ method, params, result }: SnippetCall): string {
  const { name, uri, arguments: args = {} } = params;
  const [asked, subject] = clientCall(method, { name, uri, args });
  const expected = result === undefined ? ['assert.ok(result);'] : expectations(result);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClient } from '${testing}';
import { server } from './server.js';

test(${literal(`${method} ${subject}`)}, async () => {
  const client = await testClient(server);
  const result = await client.${asked};
  ${expected.join('\n  ')}
  await client.close();
});
`;
}

function clientCall(
  method: string,
  { name, uri, args }: { name: unknown; uri: unknown; args: unknown },
): [asked: string, subject: string] {
  switch (method) {
    case 'tools/call':
      return [`callTool(${literal(name)}, ${indentJson(args)})`, String(name)];
    case 'prompts/get':
      return [`getPrompt(${literal(name)}, ${indentJson(args)})`, String(name)];
    case 'resources/read':
      return [`readResource(${literal(uri)})`, String(uri)];
    default:
      throw new RequestError(
        `There is no test for "${method}"`,
        'Tools, prompts and resources can be copied as tests.',
      );
  }
}

/** Assertions on the stable parts of a result. */
function expectations(result: unknown): string[] {
  const { content, structuredContent, isError, messages, contents } = result as Record<string, unknown>;
  const context = { content, structuredContent, messages, contents, ...(isError === true && { isError }) };
  const there = Object.entries(context).filter(([, part]) => part !== undefined);
  return there.map(([name, part]) => `assert.deepEqual(result.${name}, ${indentJson(part)});`);
}

function indentJson(value: unknown): string {
  return escapeBidi(JSON.stringify(value, null, 2) ?? 'undefined').replaceAll('\n', '\n  ');
}

function literal(value: unknown): string {
  return escapeBidi(JSON.stringify(String(value)));
}

/** Escapes bidi controls, so that the code is what it looks like. */
function escapeBidi(code: string): string {
  return code.replaceAll(/\p{Bidi_Control}/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
