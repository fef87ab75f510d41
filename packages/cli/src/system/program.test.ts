import { describe, expect, it } from 'vitest';
import { mayDownload, programName, scriptIn } from './program.ts';

describe('a program', () => {
  it.each([
    ['/usr/bin/npx', 'npx'],
    ['C:\\Program Files\\nodejs\\npx.CMD', 'npx'],
    ['node.exe', 'node'],
  ])('has a name: %s', (command, name) => {
    expect(programName(command)).toBe(name);
  });

  it.each<[string, boolean]>([
    ['npx -y some-server', true],
    ['/opt/bin/uvx some-server', true],
    ['docker run -i image', true],
    ['npm exec some-server', true],
    ['pnpm dlx some-server', true],
    ['uv run --with x server.py', true],
    ['cmd /c npx some-server', true],
    ['npm run start', false],
    ['node server.js', false],
    ['cmd /c server.exe', false],
  ])('may have to download a package: %s', (line, expected) => {
    const [command = '', ...args] = line.split(' ');
    expect(mayDownload({ command, args })).toBe(expected);
  });

  it.each([
    ['node --watch server.js --port 1', 'server.js'],
    ['python3.12 -u dir/server.py', 'dir/server.py'],
    ['deno run npm:some-server', undefined],
    ['npx server.js', undefined],
    ['python -m server', undefined],
    ['python -m server x.py', undefined],
    ['node --import ./register.mjs server.js', 'server.js'],
    ['node -e x.js', undefined],
    ['node ./bin/server x.js', undefined],
    ['deno run --config deno.json server.ts', 'server.ts'],
    ['deno run https://example.com/server.ts', undefined],
    ['uv run server.py', 'server.py'],
    ['uv --directory /srv run server.py', undefined],
    ['uv run --directory=/srv server.py', undefined],
    ['uv run --directory=/srv.py server', undefined],
    ['C:\\node\\node.exe server.js', 'server.js'],
  ])('has a script, if it runs one: %s', (line, script) => {
    const [command = '', ...args] = line.split(' ');
    expect(scriptIn({ command, args })).toBe(script);
  });
});
