import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { run } from '../support/ccmcp.ts';
import { web } from '../support/probe.ts';

const nested = (depth: number): string => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
const deep = nested(10_000);
const listed = nested(490);
const schema = `${'{"type":"object","properties":{"a":'.repeat(490)}{}${'}}'.repeat(490)}`;

const answers: Record<string, string> = {
  initialize: `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{},"resources":{},"completions":{}},"serverInfo":{"name":"deep","version":"1","x":${deep}}}`,
  ping: `{"x":${deep}}`,
  'tools/list': `{"tools":[{"name":"plain","inputSchema":{"type":"object"}},{"name":"fail","inputSchema":{"type":"object"}},{"name":"refuse","inputSchema":{"type":"object"}},{"name":"odd","inputSchema":${schema},"outputSchema":${schema},"annotations":${listed}}]}`,
  'tools/call': `{"content":[],"structuredContent":${deep},"_meta":${deep}}`,
  'prompts/list': `{"prompts":[{"name":"say","arguments":[],"_meta":${listed}}]}`,
  'prompts/get': `{"messages":[{"role":"user","content":{"type":"new","x":${deep}}}]}`,
  'resources/list': `{"resources":[{"name":"r","uri":"a:b","_meta":${listed}}]}`,
  'resources/templates/list': '{"resourceTemplates":[]}',
  'resources/read': `{"contents":[{"uri":"a:b","text":"x","_meta":${deep}}]}`,
  'completion/complete': `{"completion":{"values":["a"],"x":${deep}}}`,
};

/** A server whose results are nested ten thousand levels deep, and its lists as deep as clients accept. */
const deepServer: RequestListener = (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(body || '{}');
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (id === undefined) return void response.writeHead(202).end();
    const log = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":${deep}}}`;
    const failed = `{"content":[{"type":"text","text":"no"}],"isError":true,"structuredContent":${deep}}`;
    const refused = `{"code":-32601,"message":"no"${params?.name === 'refuse' ? `,"data":${deep}` : ''}}`;
    const result = params?.name === 'refuse' ? undefined : params?.name === 'fail' ? failed : answers[method];
    const answer = result === undefined ? `"error":${refused}` : `"result":${result}`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `${method === 'tools/call' ? `data: ${log}\n\n` : ''}data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}\n\n`,
    );
  });
};

it.each([
  [0, 'content', ['call', 'plain']],
  [5, 'error.data.content', ['call', 'fail']],
  [6, 'error.data.code', ['call', 'refuse']],
  [0, 'contents', ['read', 'a:b']],
  [0, 'messages', ['prompt', 'say']],
  [0, 'server', ['ping']],
])(
  'exits with %d, and prints %s as JSON, for a server that nests ten thousand levels: %j',
  async (code, member, words) => {
    const [command = '', ...names] = words;
    const url = await web(deepServer);
    const plain = await run([command, url, ...names]);
    expect([plain.code, plain.stderr]).toEqual([code, expect.not.stringContaining('call stack')]);
    const json = await run([command, url, ...names, '--json']);
    expect(json.code).toBe(code);
    expect(JSON.parse(code === 0 ? json.stdout : json.stderr)).toHaveProperty(member);
  },
);
