import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { emptyFolder, run } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';

/** A copy of the command, as npm installs it or in an incomplete clone. */
function copyOfCommand(folder: string): string {
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'packages/cli/package.json'), join(folder, 'package.json'));
  cpSync(join(root, 'packages/cli/dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('page'),
  });
  return join(folder, 'dist/main.cjs');
}

async function runCopy(main: string, args: string[], cwd: string): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [main, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, code] = await Promise.all([
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('exit', resolve)),
  ]);
  return { code, stderr };
}

describe('ccmcp new', () => {
  it('uses the library of the registry if the command was installed from there', async () => {
    const folder = emptyFolder();
    const main = copyOfCommand(join(folder, 'node_modules/ccmcp'));
    const { code, stderr } = await runCopy(main, ['new', 'mine', '--no-install'], folder);

    expect(code).toBe(0);
    expect(stderr).toContain('of the registry');
    const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'));
    expect(readFileSync(join(folder, 'mine/package.json'), 'utf8')).toContain(`"@ccmcp/core": "^${version}"`);
    expect(existsSync(join(folder, 'mine/vendor'))).toBe(false);
  });

  it.each([
    ['a folder with something in it', (path: string) => mkdirSync(join(path, 'inside'), { recursive: true })],
    ['a file', (path: string) => writeFileSync(path, 'mine')],
  ])('does not touch %s', async (_, make) => {
    const folder = emptyFolder();
    make(join(folder, 'mine'));
    const { code, stderr } = await run(['new', 'mine'], { cwd: folder });

    expect(code).toBe(1);
    expect(stderr).toMatch(/already exists/);
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  it('removes everything if it fails', async () => {
    const folder = emptyFolder();
    const clone = join(folder, 'clone');
    const main = copyOfCommand(join(clone, 'packages/cli'));
    mkdirSync(join(clone, 'packages/core'));
    writeFileSync(join(clone, 'packages/core/package.json'), '{"name":"@ccmcp/core"}');
    mkdirSync(join(clone, 'scripts'));
    writeFileSync(join(clone, 'scripts/setup.mjs'), 'process.exit(1)');
    const { code, stderr } = await runCopy(main, ['new', 'mine'], folder);

    expect(code).toBe(1);
    expect(stderr).toMatch(/could not be built in .*clone/);
    expect(readdirSync(folder)).toEqual(['clone']);
  });

  it.each([
    [[], /give the project a name: ccmcp new NAME/],
    [['My Server'], /such as "my-server"/],
    [['mine', 'yours'], /unexpected argument: yours/],
    [['mine', '--ts', '--js'], /exclude each other/],
    [['mine', '--htp'], /Did you mean "--http"/],
    [['mine', '--python'], /there is no option --python/],
  ])('%j is a usage error', async (args, message) => {
    const folder = emptyFolder();
    const { code, stderr } = await run(['new', ...args], { cwd: folder });

    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not create parent folders', async () => {
    const folder = emptyFolder();
    const { code, stderr } = await run(['new', 'a/b/mine'], { cwd: folder });

    expect(code).toBe(1);
    expect(stderr).toMatch(/there is no folder .*a\/b/);
  });
});
