import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder, runProcess } from '../support/ccmcp.ts';

describe('a file that serves nothing', () => {
  it.each([
    ['goes on with something else', 'setInterval(() => {}, 1e6);', /exports no server and serves none/],
    [
      'listens for connections',
      "(await import('node:http')).createServer().listen(0, '127.0.0.1');",
      /listens on a port on its own: start it with "node .*server\.mjs" and give its address/,
    ],
  ])('and %s fails with an explanation after the timeout, and the command exits', async (_, text, message) => {
    const file = join(emptyFolder(), 'server.mjs');
    writeFileSync(file, text);
    const { code, stdout, stderr } = await runProcess(['serve', file]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
