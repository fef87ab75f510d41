import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { run } from '../support/ccmcp.ts';

const server = fileURLToPath(new URL('fixtures/deep.mjs', import.meta.url));

it.each([
  [0, 'content', ['call', 'plain']],
  [5, 'error.data.content', ['call', 'fail']],
  [6, 'error.data.code', ['call', 'refuse']],
  [0, 'contents', ['read', 'a:b']],
  [0, 'messages', ['prompt', 'say']],
  [0, 'server', ['ping']],
])('ends with %d, and with %s in its JSON, where a server nests ten thousand deep: %j', async (code, member, words) => {
  const command = ['--', process.execPath, server];
  const plain = await run([...words, ...command]);
  expect([plain.code, plain.stderr]).toEqual([code, expect.not.stringContaining('call stack')]);
  const json = await run([...words, '--json', ...command]);
  expect(json.code).toBe(code);
  expect(JSON.parse(code === 0 ? json.stdout : json.stderr)).toHaveProperty(member);
});
