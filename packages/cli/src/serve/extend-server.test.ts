import { Writable } from 'node:stream';
import { createServer, tool } from '@ccmcp/core';
import { connect, memoryTransport } from '@ccmcp/core/client';
import { hasToolSearch, toolSearch } from '@ccmcp/core/tool-search';
import { expect, it, onTestFinished } from 'vitest';
import { host, useHost } from '../host.ts';
import { defaultCommand } from '../servers/serve-command.ts';
import { extendServer } from './extend-server.ts';
import { isExtended } from './is-extended.ts';

/** The global key of OpenTelemetry. Other tests of this process may have registered it. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

it('--tool-search counts for a server that has tool search already', async () => {
  const tools = ['a', 'b', 'c'].map((name) => tool(name, {}, () => name));
  const server = createServer({ name: 'three', version: '1', tools }).use(toolSearch({ above: 100 }));
  let warning = '';
  const stderr = new Writable({ write: (chunk, _, done) => done(void (warning += String(chunk))) });
  useHost({ ...host, stderr: stderr as typeof host.stderr });
  onTestFinished(() => useHost());
  await extendServer(server, { ...defaultCommand({}), toolSearch: { above: 2 } });
  expect(warning).toBe('ccmcp: the server has tool search already: --tool-search overrides its options\n');
  const client = await connect(memoryTransport(server));
  onTestFinished(() => client.close());
  expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['search_tools', 'call_tool']);
  expect(await client.callTool('search_tools', { query: 'b' })).toMatchObject({
    content: [{ text: expect.stringContaining('"name":"b"') }],
  });
});

it('--tool-search shortens a list that is longer than its number', async () => {
  const globals = globalThis as Record<symbol, unknown>;
  const registered = globals[telemetry];
  delete globals[telemetry];
  onTestFinished(() => void (registered !== undefined && Object.assign(globals, { [telemetry]: registered })));
  const tools = ['a', 'b', 'c'].map((name) => tool(name, {}, () => name));
  const server = createServer({ name: 'three', version: '1', tools });
  const command = { ...defaultCommand({}), toolSearch: { above: 2 } };
  expect(isExtended(command)).toBe(true);
  expect(isExtended(defaultCommand({}))).toBe(false);
  expect(hasToolSearch(server)).toBe(false);
  await extendServer(server, command);
  const client = await connect(memoryTransport(server));
  onTestFinished(() => client.close());
  expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['search_tools', 'call_tool']);
});
