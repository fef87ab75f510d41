import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../support/ccmcp.ts';
import { awkward, connected, echo } from './fixtures/copied-calls.ts';

const run = promisify(execFile);
const core = fileURLToPath(new URL('../../packages/core', import.meta.url));

describe('a call that is copied from the inspector', () => {
  it.each([
    ['tools/call', { name: 'echo', arguments: awkward }],
    ['resources/read', { uri: "echo://a/b?c='d'&e" }],
    ['prompts/get', { name: 'ask', arguments: { what: '`x` ${y}' } }],
  ])('runs as a test, for %s', async (method, params) => {
    const { copy } = await connected(echo(), {});
    const folder = emptyFolder();
    mkdirSync(join(folder, 'node_modules/@ccmcp'), { recursive: true });
    symlinkSync(core, join(folder, 'node_modules/@ccmcp/core'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'copied.test.js'), await copy('test', method, params));
    const server = (word: string): string => `import { createServer, prompt, resource, tool } from '@ccmcp/core';
export const server = createServer({
  name: 'echo',
  version: '1.0.0',
  tools: [tool('echo', { input: { type: 'object' } }, (given) => JSON.stringify(given) + '${word}')],
  resources: [resource("echo://a/b?c='d'&e", { name: 'a' }, () => 'A resource.${word}')],
  prompts: [prompt('ask', { arguments: { what: { required: true } } }, ({ what }) => 'What is ' + what + '?${word}')],
});
`;
    const tried = (): Promise<unknown> => run(process.execPath, ['--test', 'copied.test.js'], { cwd: folder });
    writeFileSync(join(folder, 'server.js'), server(''));
    await tried();
    writeFileSync(join(folder, 'server.js'), server(' And more.'));
    await expect(tried()).rejects.toThrow('Command failed');
  });
});
