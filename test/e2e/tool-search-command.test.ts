import { expect, it } from 'vitest';
import { callTool, connect } from '../support/ccmcp.ts';

// The command and the file have copies of the library of their own.
it('ccmcp serve FILE --tool-search shortens the list of the file and finds its tools', async () => {
  const { client, wire } = await connect({ args: ['serve', 'examples/greet/server.js', '--tool-search', '0'] });
  const { tools } = (await client.request('tools/list')) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'call_tool']);
  const found = await callTool(client, 'search_tools', { query: 'say hello by name' });
  expect(JSON.stringify(found)).toContain('greet');
  const called = await callTool(client, 'call_tool', { name: 'greet', arguments: { name: 'Ada' } });
  expect(JSON.stringify(called)).toContain('Hello, Ada!');
  await wire.close();
  await wire.exited;
});
