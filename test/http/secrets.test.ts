import { createHash } from 'node:crypto';
import { createServer, type LogEntry, tool, ToolError } from '@ccmcp/core';
import { apiKey, serveHttp } from '@ccmcp/core/http';
import { requestLog } from '@ccmcp/core/observe';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const canary = (where: string): string => `canary-${where}-5f3a`;
const key = canary('key');

function watchedServer(requests: LogEntry[], own: LogEntry[]) {
  const server = createServer({
    name: 'secrets',
    version: '1.0.0',
    logger: { level: 'debug', write: (entry) => void own.push(entry) },
    tools: [
      tool('take', { input: { type: 'object' } }, () => 'taken'),
      tool('throw', { input: { type: 'object' } }, () => {
        throw new Error(`cannot reach db://${canary('error')}@host`);
      }),
      tool('strict', { input: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } }, () => 'x'),
      tool('fail', { input: { type: 'object' } }, () => {
        throw new ToolError('told to the caller');
      }),
    ],
  });
  server.observe(requestLog({ logger: { level: 'info', write: (entry) => void requests.push(entry) } }));
  return server;
}

describe('a secret', () => {
  it('appears in no metric, request log or response (OB-02)', async () => {
    vi.stubEnv('CANARY', canary('environment'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const requests: LogEntry[] = [];
    const own: LogEntry[] = [];
    const server = watchedServer(requests, own);
    const service = await serveHttp(server, { auth: apiKey({ keys: [key] }), admin: {} });
    onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
    const answers: string[] = [];
    const send = async (message: object, headers: Record<string, string> = {}): Promise<Response> => {
      const response = await fetch(service.url, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'X-Api-Key': key,
          Authorization: `Bearer ${canary('bearer')}`,
          Cookie: `session=${canary('cookie')}`,
          ...headers,
        },
      });
      answers.push(await response.text(), ...response.headers.values());
      return response;
    };
    const call = (name: string): object => ({
      method: 'tools/call',
      params: { name, arguments: { password: canary('argument') }, _meta: { token: canary('meta') } },
    });
    for (const name of ['take', 'throw', 'strict', 'fail']) await send(call(name));
    await send(call('take'), { 'X-Api-Key': canary('wrong-key') });
    await send({ method: 'no/such', params: { token: canary('param') } });
    await send({ method: 'resources/read', params: { uri: `secret://${'x'.repeat(200)}${canary('uri')}` } });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const begun = await send({ method: 'initialize', params });
    const session = begun.headers.get('mcp-session-id') ?? '';
    expect(session).toHaveLength(36);
    await send({ method: 'tools/list' }, { 'Mcp-Session-Id': session });

    const operators = await Promise.all(
      ['/metrics', '/healthz', '/readyz'].map(async (path) => (await fetch(service.adminUrl + path)).text()),
    );
    expect(requests.length).toBeGreaterThanOrEqual(8);
    const logged = JSON.stringify(requests);
    for (const [where, text] of Object.entries({
      answers: answers.join('\n'),
      logged,
      operators: operators.join('\n'),
    })) {
      expect([where, text.match(/canary-\w+/g)]).toEqual([where, null]);
    }
    expect(logged).not.toContain(session);
    expect(logged).not.toContain(session.slice(0, 8));
    expect(logged).toContain(createHash('sha256').update(session).digest('hex').slice(0, 24));
    // The error of a handler is for its author: it is in the server's own log, without other parts of the request.
    const words = own.map(({ data, error }) => `${JSON.stringify(data)} ${String(error)}`).join('\n');
    expect(new Set(words.match(/canary-\w+/g))).toEqual(new Set(['canary-error']));
  });
});
