import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../support/ccmcp.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('the image of the greeting server', () => {
  it.each([
    [[], 'mcp-hello-app'],
    [['other'], 'other'],
  ])('is built by build.sh %j as %s', (args, name) => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'docker'), '#!/bin/sh\necho "$PWD $*"\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    const said = execFileSync(join(root, 'build.sh'), args, { env, cwd: folder, encoding: 'utf8' });
    expect(said).toBe(`${root.replace(/\/$/, '')} build -t ${name} .\n`);
  });

  it('is started by the documented client configuration', () => {
    const [, json = ''] = /```json\n([^`]*dockermcphello[^`]*)```/.exec(read('docs/servers/greeting.md')) ?? [];
    expect(JSON.parse(json)).toEqual({
      mcpServers: { dockermcphello: { command: 'docker', args: ['run', '-i', '--rm', 'mcp-hello-app'] } },
    });
  });

  it('serves greeting by default, from existing files', () => {
    const lines = read('Dockerfile').split('\n');
    expect(lines).toContain('ENTRYPOINT ["node", "/app/main.cjs"]');
    expect(lines).toContain('CMD ["greeting"]');
    const copied = lines.filter((line) => line.startsWith('COPY ') && !line.includes('--from'));
    const sources = copied.flatMap((line) => line.split(' ').slice(1, -1));
    expect(() =>
      execFileSync('git', ['ls-files', '--error-unmatch', ...sources], { cwd: root, stdio: 'pipe' }),
    ).not.toThrow();
  });
});
