import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// A minimal server: prints its arguments, then echoes its input.
const server = `process.stdout.write(process.argv.slice(2).join(' ') + ': '); process.stdin.pipe(process.stdout);`;

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'ccmcp-launcher-'));
  copyFileSync(fileURLToPath(new URL('../ccmcp', import.meta.url)), join(clone, 'ccmcp'));
});
afterEach(() => {
  rmSync(clone, { recursive: true, force: true });
});

function write(path: string, content: string) {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), content);
}

async function launch(command: string, args: string[]) {
  const child = spawn(command, args, { cwd: tmpdir() });
  child.stdin.end('what the client sent at once');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code };
}

describe('./ccmcp', () => {
  it('serves at once when it is built, started through a link from anywhere, as a program or by node', async () => {
    write('packages/cli/dist/main.cjs', server);
    const link = join(clone, 'link');
    symlinkSync(join(clone, 'ccmcp'), link);
    const answer = { stdout: 'notes --http: what the client sent at once', stderr: '', code: 0 };
    expect(await launch(link, ['notes', '--http'])).toEqual(answer);
    expect(await launch(process.execPath, [link, 'notes', '--http'])).toEqual(answer);
  });

  it('sets itself up first when it is not, keeps standard output clean and loses no input', async () => {
    const main = join(clone, 'packages/cli/dist/main.cjs');
    write(
      'scripts/setup.mjs',
      `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
       console.log('installing; read from standard input: ' + readFileSync(0, 'utf8').length);
       mkdirSync(${JSON.stringify(dirname(main))}, { recursive: true });
       writeFileSync(${JSON.stringify(main)}, ${JSON.stringify(server)});`,
    );
    expect(await launch(join(clone, 'ccmcp'), ['a'])).toEqual({
      stdout: 'a: what the client sent at once',
      stderr: 'installing; read from standard input: 0\n',
      code: 0,
    });
  });

  it('ends with an error and a clean standard output when the set-up fails', async () => {
    write('scripts/setup.mjs', `console.log('it went wrong'); process.exit(3);`);
    expect(await launch(join(clone, 'ccmcp'), [])).toEqual({ stdout: '', stderr: 'it went wrong\n', code: 1 });
  });
});
