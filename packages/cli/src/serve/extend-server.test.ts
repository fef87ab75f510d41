import { createServer, tool } from '@ccmcp/core';
import { connect, memoryTransport } from '@ccmcp/core/client';
import { toolSearch } from '@ccmcp/core/tool-search';
import { expect, it, onTestFinished } from 'vitest';
import { defaultCommand } from '../servers/serve-command.ts';
import { extendServer } from './extend-server.ts';
import { isExtended } from './is-extended.ts';

/** The global key of OpenTelemetry. Other tests of this process may have registered it. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

it('--tool-search counts for a server that has tool search already', async () => {
  const tools = ['a', 'b', 'c'].map((name) => tool(name, {}, () => name));
  const server = createServer({ name: 'three', version: '1', tools }).use(toolSearch({ above: 100 }));
  await extendServer(server, { ...defaultCommand({}), toolSearch: { above: 2 } });
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
  await extendServer(server, command);
  const client = await connect(memoryTransport(server));
  onTestFinished(() => client.close());
  expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['search_tools', 'call_tool']);
});
