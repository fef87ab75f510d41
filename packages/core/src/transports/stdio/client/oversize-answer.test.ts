import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../client/connect.ts';
import { spawn } from './spawn.ts';

const maxMessage = 2000;

/** A server whose tool gives a text of so many characters, with the members of its answer in this order. */
function program(order: string): string {
  return `
    const lines = require('node:readline').createInterface({ input: process.stdin });
    lines.on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const text = 'x'.repeat(params?.arguments?.length ?? 0);
      const results = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
        'tools/call': { content: [{ type: 'text', text }], structuredContent: { id: 1 } },
      };
      const [result, jsonrpc] = [results[method] ?? {}, '2.0'];
      process.stdout.write(JSON.stringify(${order}) + '\\n');
    });`;
}

it.each([
  ['its id first', '{ jsonrpc, id, result }'],
  ['its id before the version', '{ id, jsonrpc, result }'],
  ['its id last', '{ result, jsonrpc, id }'],
  ['its version last', '{ result, id, jsonrpc }'],
])('an answer above the limit with %s fails its request at once, and no other', async (_, order) => {
  const warnings: string[] = [];
  const client = await connect(spawn(process.execPath, ['-e', program(order)], { maxMessage, graceMs: 200 }), {
    era: 'handshake',
    onWarning: (text) => warnings.push(text),
    checkOutput: false,
  });
  onTestFinished(() => client.close());
  // In one piece, in several, and far more than a pipe holds.
  for (const length of [maxMessage, 100_000, 1_000_000]) {
    const [large, small] = await Promise.allSettled([
      client.callTool('text', { length }),
      client.callTool('text', { length: 5 }),
    ]);
    expect(large).toMatchObject({ reason: { message: expect.stringContaining('longer than 2000 bytes') } });
    expect(small).toMatchObject({ value: { content: [{ text: 'xxxxx' }] } });
  }
  expect(warnings).not.toEqual([]);
});
