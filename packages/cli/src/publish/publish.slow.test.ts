import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { emptyFolder, runProcess } from '../../../../test/support/ccmcp.ts';
import type { Finding } from './findings.ts';

/** A server without dependencies. */
const program = `#!/usr/bin/env node
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'weather', version: '1.2.0', title: 'Weather' } },
    'tools/list': { tools: [{ name: 'forecast', description: 'Tells the weather', inputSchema: { type: 'object' } }] },
    ping: {},
  };
  const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
`;

const manifest = {
  name: '@ada/weather',
  version: '1.2.0',
  description: 'Tells the weather',
  license: 'MIT',
  author: 'Ada <ada@example.com>',
  repository: 'github:ada/weather',
  keywords: ['mcp'],
  engines: { node: '>=20' },
  bin: { weather: 'bin/main.js' },
  files: ['bin'],
};

/** A project; `files` replaces or adds files, undefined removes one. */
function project(changes: object = {}, files: Record<string, string | undefined> = {}): string {
  const folder = emptyFolder();
  const all = {
    'package.json': JSON.stringify({ ...manifest, ...changes }, null, 2),
    'README.md': '# Weather',
    'bin/main.js': program,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

async function check(folder: string): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, stdout } = await runProcess(['publish', '--check', folder, '--json']);
  return { code, ...(JSON.parse(stdout) as { findings: Finding[] }) };
}

describe('ccmcp pack', () => {
  it('makes a project ready, so that the check finds nothing', async () => {
    const folder = project();
    const { code, stdout, stderr } = await runProcess([
      'pack',
      folder,
      '--secret',
      'WEATHER_KEY',
      '--bundle-url',
      'https://example.com/mcp/weather.mcpb',
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('[Install in Cursor](https://cursor.com/');
    expect(readJson(folder, 'package.json')).toEqual({ ...manifest, mcpName: 'io.github.ada/weather' });
    const variable = { name: 'WEATHER_KEY', isRequired: true, isSecret: true };
    expect(readJson(folder, 'server.json')).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.ada/weather',
      title: 'Weather',
      description: 'Tells the weather',
      repository: { url: 'https://github.com/ada/weather', source: 'github' },
      version: '1.2.0',
      packages: [
        {
          registryType: 'npm',
          identifier: '@ada/weather',
          version: '1.2.0',
          transport: { type: 'stdio' },
          environmentVariables: [variable],
        },
        {
          registryType: 'mcpb',
          identifier: 'https://example.com/mcp/weather.mcpb',
          fileSha256: expect.stringMatching(/^[a-f\d]{64}$/),
          transport: { type: 'stdio' },
          environmentVariables: [variable],
        },
      ],
    });
    expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toMatch(
      /server\.name="io\.github\.ada\/weather"[^]*ENTRYPOINT \["weather"\]/,
    );
    expect(await check(folder)).toMatchObject({ code: 0, findings: [] });
  });

  it('makes a bundle with a manifest and the program, twice the same', async () => {
    const folder = project();
    await runProcess(['pack', folder, '--secret', 'WEATHER_KEY']);
    const bundle = readFileSync(join(folder, 'weather-1.2.0.mcpb'));
    const entry = 'server/node_modules/@ada/weather/bin/main.js';
    const files = unzipSync(bundle);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['manifest.json', entry]));
    expect(JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString())).toMatchObject({
      manifest_version: '0.3',
      name: 'weather',
      version: '1.2.0',
      author: { name: 'Ada', email: 'ada@example.com' },
      server: {
        type: 'node',
        entry_point: entry,
        mcp_config: {
          command: 'node',
          args: [`\${__dirname}/${entry}`],
          env: { WEATHER_KEY: '${user_config.weather_key}' },
        },
      },
      tools: [{ name: 'forecast', description: 'Tells the weather' }],
      user_config: { weather_key: { sensitive: true, required: true } },
    });
    await runProcess(['pack', folder, '--secret', 'WEATHER_KEY']);
    // The first run added "mcpName" to package.json, which is in the bundle.
    const second = readFileSync(join(folder, 'weather-1.2.0.mcpb'));
    await runProcess(['pack', folder, '--secret', 'WEATHER_KEY']);
    expect(readFileSync(join(folder, 'weather-1.2.0.mcpb')).equals(second)).toBe(true);
  });

  it('keeps what server.json says beside the project, and the format of package.json', async () => {
    const remotes = [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }];
    const text = JSON.stringify({
      name: 'com.example/weather',
      description: 'My own words',
      version: '0.1.0',
      remotes,
    });
    const manifestText = `{\n\t"name": "weather",\n\t"version": "2.0.0",\n\t"bin": "bin/main.js"\n}\n`;
    const folder = project({}, { 'server.json': text, 'package.json': manifestText });
    expect((await runProcess(['pack', folder, '--no-bundle'])).code).toBe(0);
    expect(readJson(folder, 'server.json')).toMatchObject({
      name: 'com.example/weather',
      description: 'My own words',
      version: '2.0.0',
      remotes,
      packages: [{ registryType: 'npm', identifier: 'weather', version: '2.0.0' }],
    });
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('\n\t"mcpName": "com.example/weather"\n}');
  });

  it.each([
    ['no program', { bin: undefined }, {}, [], 1, 'package.json has no "bin"'],
    ['a program that was not built', {}, { 'bin/main.js': undefined }, [], 1, 'build the project first'],
    ['no name', { repository: undefined }, {}, [], 2, 'give the name in the registry with --name'],
    ['a name without a slash', {}, {}, ['--name', 'weather'], 2, 'is no name of the registry'],
    ['no variable', {}, {}, ['--env', 'A-B'], 2, 'A-B is no name of an environment variable'],
    ['a bundle without TLS', {}, {}, ['--bundle-url', 'http://x/a.mcpb'], 2, '--bundle-url must be an https URL'],
    ['a broken server.json', {}, { 'server.json': '[' }, [], 1, 'server.json is no JSON object'],
  ])('rejects %s', async (_, changes, files, options, expected, message) => {
    const { code, stderr } = await runProcess(['pack', project(changes, files), ...options]);
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
  });
});

describe('ccmcp publish --check', () => {
  /** A valid server.json with changes. */
  const serverJson = (changes: object): string =>
    JSON.stringify({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.ada/weather',
      description: 'Tells the weather',
      version: '1.2.0',
      packages: [{ registryType: 'npm', identifier: '@ada/weather', version: '1.2.0', transport: { type: 'stdio' } }],
      ...changes,
    });
  const mcpName = 'io.github.ada/weather';
  const mcpb = { registryType: 'mcpb', transport: { type: 'stdio' } };
  const image = { registryType: 'oci', identifier: 'example.com/ada/weather:1.2.0', transport: { type: 'stdio' } };

  it.each([
    ['a private package', { private: true }, {}, 'it is private'],
    ['no mcpName', { mcpName: undefined }, {}, 'it has no "mcpName"'],
    ['a local dependency', { dependencies: { mine: 'file:../mine' } }, {}, '"mine" is file:../mine'],
    ['no program', { bin: undefined }, {}, 'it has no "bin"'],
    ['a program that was not built', {}, { 'bin/main.js': undefined }, 'there is no bin/main.js'],
    [
      'a program without a first line for the shell',
      {},
      { 'bin/main.js': program.replace(/^#!.*\n/, '') },
      'no first line for the shell',
    ],
    ['a program that does not serve', {}, { 'bin/main.js': '#!/usr/bin/env node\n' }, 'bin/main.js does not serve'],
    ['a secret', {}, { 'bin/.env': 'KEY=1' }, 'npm would publish bin/.env'],
    ['no server.json', {}, { 'server.json': undefined }, 'there is none: the registry needs it'],
    [
      'another name',
      {},
      { 'server.json': serverJson({ name: 'io.github.ada/wheather' }) },
      'but "mcpName" in package.json is',
    ],
    [
      'an old schema',
      {},
      {
        'server.json': serverJson({
          $schema: 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json',
        }),
      },
      '"$schema" is not the one',
    ],
    [
      'a long description',
      {},
      { 'server.json': serverJson({ description: 'x'.repeat(101) }) },
      'must have 1 to 100 characters',
    ],
    ['another version', {}, { 'server.json': serverJson({ version: '1.1.0' }) }, '"version" is 1.1.0'],
    ['a range', {}, { 'server.json': serverJson({ version: 'latest' }) }, 'no exact version'],
    [
      'an executable as a bundle',
      {},
      {
        'server.json': serverJson({
          packages: [{ ...mcpb, identifier: 'https://example.com/mcp/weather.exe', fileSha256: 'a'.repeat(64) }],
        }),
      },
      'must be the https URL of a bundle',
    ],
    [
      'a bundle without a digest',
      {},
      { 'server.json': serverJson({ packages: [{ ...mcpb, identifier: 'https://example.com/mcp.mcpb' }] }) },
      'needs the "fileSha256"',
    ],
    [
      'a local remote',
      {},
      { 'server.json': serverJson({ remotes: [{ type: 'streamable-http', url: 'http://localhost/mcp' }] }) },
      'no public https URL',
    ],
    [
      'an image that serves over HTTP',
      {},
      {
        'server.json': serverJson({ packages: [image] }),
        Dockerfile: `FROM x\nLABEL io.modelcontextprotocol.server.name="${mcpName}"\nCMD ["x", "--http"]`,
      },
      'it serves over HTTP',
    ],
    [
      'an image without its label',
      {},
      { 'server.json': serverJson({ packages: [image] }), Dockerfile: 'FROM x' },
      'by a label that is missing',
    ],
  ])('finds %s', async (_, changes, files, message) => {
    const { code, findings } = await check(
      project({ mcpName, ...changes }, { 'server.json': serverJson({}), ...files }),
    );
    expect(code).toBe(10);
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message: said }) => said)).toEqual([expect.stringContaining(message)]);
  });

  it('warns of what is missing, and fails for it only with --strict', async () => {
    const changes = { license: undefined, keywords: undefined, engines: undefined, description: undefined };
    const folder = project({ mcpName, ...changes }, { 'server.json': serverJson({}) });
    const { code, findings } = await check(folder);
    expect([code, findings.map(({ severity }) => severity)]).toEqual([0, ['warning', 'warning', 'warning', 'warning']]);
    expect((await runProcess(['publish', '--check', '--strict', folder])).code).toBe(10);
  });

  it('publishes nothing', async () => {
    const { code, stderr } = await runProcess(['publish', project()]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('ccmcp publishes nothing')]);
  });
});
