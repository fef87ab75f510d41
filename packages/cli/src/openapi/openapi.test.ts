import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProcess, start } from '../../../../test/support/ccmcp.ts';
import { listening } from '../../../../test/support/listening.ts';
import { processEnvironment } from '../system/environment.ts';
import { readApiOptions } from './serve-openapi.ts';

const document = `openapi: 3.1.0
info: {title: Echo, version: 1.0.0}
paths:
  /echo/{text}:
    get: {operationId: echo, tags: [a], security: [{bearer: []}]}
    delete: {operationId: remove, tags: [b]}
  /bad: {get: {operationId: bad, parameters: [{$ref: '#/nowhere'}]}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
`;

function documentFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-openapi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'api.yaml'), document);
  return join(folder, 'api.yaml');
}

async function echoApi(): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.end(request.url);
  });
  return { url: await listening(server), requests };
}

describe('ccmcp openapi', () => {
  it('serves an API on stdio, with credentials of the environment, and reports errors of the document', async () => {
    const { url, requests } = await echoApi();
    const args = [
      'openapi',
      documentFile(),
      '--base-url',
      url,
      '--auth',
      'bearer=${TOKEN}',
      '--header',
      'X-Version: 2',
      '--exclude',
      'tag:b',
    ];
    const { client, wire } = start({ args, env: { TOKEN: 'token-1234' } });
    await client.initialize();
    const { tools } = (await client.request('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'read_more']);
    expect(await client.request('tools/call', { name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ text: '/echo/hi' }],
    });
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer token-1234', 'x-version': '2' });
    expect(wire.stderr()).toContain(
      'ccmcp: not offered: #/paths/~1bad/get: $ref leads to "#/nowhere", which is not there\n',
    );
  });

  it.each([
    [['openapi'], 2, 'the document is missing'],
    [['openapi', 'a', 'b'], 2, 'unexpected argument: b'],
    [['openapi', '/no/such.yaml'], 1, '"/no/such.yaml" can not be read: ENOENT'],
    [['openapi', 'x.yaml', '--auth', 'bearer=secret-itself'], 2, 'name a variable'],
    [['openapi', 'x.yaml', '--include', 'pets'], 2, 'a filter is tag:NAME'],
    [['openapi', 'x.yaml', '--base-url', 'nothing'], 2, '--base-url must be a URL'],
    [['openapi', 'x.yaml', '--workers', '2'], 2, '--workers'],
    [['openapi', 'x.yaml', '--inclde', 'a'], 2, '--include'],
  ])('%j ends with %i and says why', async (args, code, message) => {
    const ended = await runProcess(args);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('secret-itself');
  });
});

describe('the options of ccmcp openapi', () => {
  it('become those of openApi', async () => {
    const values = {
      include: ['tag:pets,tag:dogs,method:get', 'marked'],
      exclude: ['path:/admin/*', 'id:delete*'],
      auth: ['basic=${USER_NAME}:${PASSWORD}'],
      header: ['X-A: b: ${USER_NAME}'],
      variable: ['region=eu'],
      references: ['shared', 'https://api.example/schemas/'],
      'base-url': 'api.example/v1',
      groups: true as const,
    };
    const environment = { ...processEnvironment(), cwd: '/srv', env: { USER_NAME: 'me', PASSWORD: 'p' } };
    expect(await readApiOptions(values, environment)).toEqual({
      include: [{ tags: ['pets', 'dogs'], methods: ['get'] }, { marked: true }],
      exclude: [{ paths: ['/admin/*'] }, { operations: ['delete*'] }],
      auth: { basic: 'me:p' },
      headers: { 'X-A': 'b: me' },
      serverVariables: { region: 'eu' },
      references: ['file:///srv/shared/', 'https://api.example/schemas/'],
      baseUrl: 'https://api.example/v1',
      groups: true,
      privateAddresses: false,
    });
  });
});
