import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from './support/imports.ts';

const run = promisify(execFile);

interface Block {
  language: string;
  code: string;
  /** Marked with `<!-- test -->`. */
  marked: boolean;
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** All Markdown files of the repository. */
function documents(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return /^(node_modules|dist|coverage|\..*)$/.test(entry.name) ? [] : below(path);
      return path.endsWith('.md') ? [path] : [];
    });
  return below('.');
}

function blocks(text: string): Block[] {
  const fences = text.matchAll(/(<!-- test -->\n)?^```(\w+)\n(.*?)^```$/gms);
  return Array.from(fences, ([, mark, language = '', code = '']) => ({ language, code, marked: mark !== undefined }));
}

function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
}

/** Links of a document to files of the repository, or to its own headings. */
function links(text: string): string[] {
  const found = Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  return found.filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchors of headings, as GitHub generates them. */
function anchors(text: string): string[] {
  const headings = text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(file: string): string[] {
  return links(read(file)).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchors(read(target)).includes(anchor);
  });
}

/** The shown output as a pattern: `…` matches the rest of its line. */
function pattern(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** The code in the first column of the table with this heading. */
function firstColumn(text: string, heading: string): string[] {
  const [, rows = ''] = new RegExp(`^\\| ${heading} +\\|.*\\n\\| ?-.*\\n((?:\\|.*\\n)+)`, 'm').exec(text) ?? [];
  const cells = rows.split('\n').map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code));
}

/** Files and folders that a document names in backticks. Names that begin with `x.` are placeholders. */
function paths(text: string): string[] {
  const code = text.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g);
  return Array.from(code, ([, name = '']) => name).filter((name) =>
    /^(?!x\.)[\w-][\w./-]*(?:\.(?:ts|md|mjs)|\/)$/.test(name),
  );
}

/** True for a path from the root of the repository, or from the sources of the core. */
function exists(path: string): boolean {
  return ['.', 'packages/core/src'].some((folder) => existsSync(join(root, folder, path)));
}

describe('the documents', () => {
  it('are all found', () => {
    expect(documents()).toEqual(
      expect.arrayContaining(['README.md', 'docs/server.md', 'examples/README.md', 'packages/core/README.md']),
    );
  });

  it.each(documents())('%s has no broken link', (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  it.each(['README.md', 'packages/core/README.md'])('%s shows the greeting server as it is in the examples', (file) => {
    const example = read('examples/greet/server.js').replace(/^\/\/.*\n/gm, '');

    expect(blocks(read(file)).find(({ language }) => language === 'js')?.code).toBe(example);
  });

  it.each(['host.js', 'page.js'])('docs/apps-host.md shows %s as it is in the examples', (file) => {
    const shown = blocks(read('docs/apps-host.md')).map(({ code }) => code);

    expect(shown).toContain(read(`examples/app-host/${file}`).replace(/^.*\n/, `// ${file}\n`));
  });

  it.each(['AGENTS.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/glossary.md'])(
    '%s names files that exist',
    (file) => {
      const named = paths(read(file));

      expect(named.length).toBeGreaterThan(3);
      expect(named.filter((path) => !exists(path))).toEqual([]);
    },
  );

  it('name files by paths, which are distinguished from methods and from examples', () => {
    const text = 'See `server/receive.ts`, `auth/client/` and `tools/call`, not `x.test.ts`.\n\n```\n`a.ts`\n```\n';
    expect(paths(text)).toEqual(['server/receive.ts', 'auth/client/']);
    expect(exists('server/receive.ts') && exists('test/docs.test.ts')).toBe(true);
    expect(exists('server/no-such-file.ts')).toBe(false);
  });

  it('have a glossary of at most forty words, in order, each once, with its file', () => {
    const [, , ...rows] = read('docs/glossary.md').match(/^\|.*\|$/gm) ?? [];
    const words = rows.map((row) => row.split('|')[1]?.trim());

    expect(rows.length).toBeGreaterThan(20);
    expect(rows.length).toBeLessThanOrEqual(40);
    expect(words).toEqual([...new Set(words)].sort((a = '', b = '') => a.localeCompare(b, 'en')));
    expect(rows.filter((row) => paths(row.split('|')[2] ?? '').length !== 1)).toEqual([]);
  });

  it('explain each development dependency', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: object };
    const explained = firstColumn(read('docs/decisions/0010-development-dependencies.md'), 'package');

    expect(explained.sort()).toEqual(Object.keys(devDependencies).sort());
  });
});

describe('README.md', () => {
  const readme = read('README.md');
  const all = blocks(readme);
  const shown = all.flatMap((block, index) =>
    block.marked ? [[block.code, all[index + 1]?.code ?? ''] as const] : [],
  );

  it('has commands to try', () => {
    expect(shown.length).toBeGreaterThanOrEqual(3);
  });

  it.each(shown)('shows the actual output: %s', async (command, output) => {
    const { stdout } = await run('sh', ['-c', command], { cwd: root });
    const lines = output.trimEnd().split('\n');

    expect(stdout.trimEnd().split('\n')).toEqual(lines.map((line) => expect.stringMatching(pattern(line))));
  });

  it('is at most 250 lines long', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(250);
  });
});

describe('docs/install.md', () => {
  it('has client configurations that are JSON', () => {
    const all = blocks(read('docs/install.md')).filter(({ language }) => language === 'json');
    const configurations = all.map(({ code }) => JSON.parse(code));

    const keys = configurations.flatMap((configuration) => Object.keys(configuration));

    expect(new Set(keys)).toEqual(new Set(['mcpServers', 'servers', 'mcp']));
  });
});

describe('docs/command.md', () => {
  it('names every flag of the command', async () => {
    const { stdout: help } = await run(process.execPath, [join(root, 'ccmcp'), '--help']);
    const flags = Array.from(help.matchAll(/^ {2}(--[\w-]+)/gm), ([flag]) => flag.trim());

    expect(firstColumn(read('docs/command.md'), 'flag').map((flag) => flag.split(' ')[0])).toEqual(
      expect.arrayContaining(flags),
    );
    expect(flags).toContain('--root');
  });
});

describe('docs/servers/ccmcp.md', () => {
  const page = read('docs/servers/ccmcp.md');

  it('names what the server offers', async () => {
    const requests = ['tools/list', 'resources/list', 'prompts/list'].map((method, id) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      return `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta } })}\n`;
    });
    const serving = run(process.execPath, [join(root, 'ccmcp')]);
    serving.child.stdin?.end(requests.join(''));
    const answers = (await serving).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).result);
    const [{ tools }, { resources }, { prompts }] = answers as [
      { tools: { name: string }[] },
      { resources: { uri: string }[] },
      { prompts: { name: string }[] },
    ];

    expect(firstColumn(page, 'tool')).toEqual(tools.map(({ name }) => name));
    expect(firstColumn(page, 'resource')).toEqual(resources.map(({ uri }) => uri));
    expect(firstColumn(page, 'prompt')).toEqual(prompts.map(({ name }) => name));
  });
});

/** The members of an interface, by its source. */
function membersOf(file: string, name: string): string[] {
  const [, body = ''] = new RegExp(`interface ${name}\\b[^{]*{\\n(.*?)^}`, 'ms').exec(read(file)) ?? [];
  return Array.from(body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm), ([, member = '']) => member);
}

describe('the guides', () => {
  it.each([
    ['docs/server.md', 'EngineOptions', 'packages/core/src/server/options.ts'],
    ['docs/server.md', 'Context', 'packages/core/src/server/call/context.ts'],
    ['docs/server.md', 'Server', 'packages/core/src/server/server.ts'],
    ['docs/extensions.md', 'ServerExtension', 'packages/core/src/server/extension.ts'],
    ['docs/extensions.md', 'ClientExtension', 'packages/core/src/client/extension.ts'],
    ['docs/extensions.md', 'MethodFacts', 'packages/core/src/protocol/methods.ts'],
    ['docs/transports.md', 'HttpOptions', 'packages/core/src/transports/http/server/handler.ts'],
    ['docs/transports.md', 'StdioOptions', 'packages/core/src/transports/stdio/server/serve.ts'],
    ['docs/stores.md', 'Store', 'packages/core/src/stores/store.ts'],
    ['docs/client.md', 'ConnectOptions', 'packages/core/src/client/connect-options.ts'],
    ['docs/client.md', 'RequestOptions', 'packages/core/src/client/request-options.ts'],
    ['docs/client.md', 'ClientExtension', 'packages/core/src/client/extension.ts'],
    ['docs/apps-host.md', 'AppHostOptions', 'packages/core/src/features/apps/host/options.ts'],
    ['docs/apps-host.md', 'AppRequests', 'packages/core/src/features/apps/host/options.ts'],
    ['docs/apps-host.md', 'AppEvents', 'packages/core/src/features/apps/host/options.ts'],
    ['docs/apps-host.md', 'HostedView', 'packages/core/src/features/apps/host/options.ts'],
    ['docs/client.md', 'FollowedRequest', 'packages/core/src/client/extension.ts'],
  ])('%s documents every member of %s', (document, name, file) => {
    const members = membersOf(file, name);

    expect(members.length).toBeGreaterThan(4);
    expect(members.filter((member) => !new RegExp(`\`${member}\\b`).test(read(document)))).toEqual([]);
  });

  it('docs/server.md documents every option that features add to createServer', () => {
    const members = membersOf('packages/core/src/create-server.ts', 'ServerOptions');

    expect(members).toEqual(['lists', 'rateLimit', 'idempotency']);
    expect(members.filter((member) => !new RegExp(`\`${member}\\b`).test(read('docs/server.md')))).toEqual([]);
  });

  it('have code that type-checks', async () => {
    await inFolder(async (folder) => {
      const files = guides.flatMap(programs);
      writeFileSync(join(folder, 'server.ts'), surroundings.replace('declare', 'export declare'));
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project(files.map(({ name }) => name))));
      for (const { name, code } of [...files, ...own]) writeFileSync(join(folder, name), code);
      const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
      const tsc = [join(typescript, 'bin/tsc'), '-p', join(folder, 'tsconfig.json'), '--pretty', 'false'];
      const { stdout } = await run(process.execPath, tsc, { cwd: folder }).catch((error: { stdout: string }) => error);

      expect(files.length).toBeGreaterThan(10);
      expect(stdout).toBe('');
    });
  });

  it.each(Object.entries(listening))(
    'have a handler that is served below a router of %s',
    async (framework, listen) => {
      await inFolder(async (folder) => {
        for (const { name, code } of programs('docs/transports.md')) writeFileSync(join(folder, name), code);
        const outfile = join(folder, 'main.mjs');
        const stdin = {
          contents: `import { app } from './below-${framework}.ts';\n${listen}\n${ping}`,
          resolveDir: folder,
        };
        await build({ stdin, outfile, bundle: true, format: 'esm', packages: 'external' });
        const { stdout } = await run(process.execPath, [outfile]);

        expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
      });
    },
  );

  it('have the extension that docs/extensions.md shows', async () => {
    const document = 'docs/extensions.md';
    const shown = blocks(read(document)).find(({ language }) => language === 'text')?.code;
    await inFolder(async (folder) => {
      for (const { name, code } of programs(document)) writeFileSync(join(folder, name), code);
      const outfile = join(folder, 'main.mjs');
      await build({
        entryPoints: [join(folder, 'main.ts')],
        outfile,
        bundle: true,
        format: 'esm',
        packages: 'external',
      });
      const { stdout } = await run(process.execPath, [outfile]);

      expect(stdout).toBe(shown);
    });
  });
});

/** Code that serves an app of each framework, and sets `port`. */
const listening = {
  express: `const http = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => http.once('listening', resolve));
    const { port } = http.address();`,
  fastify: "const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));",
  hono: `import { serve } from '@hono/node-server';
    const { port } = await new Promise((resolve) =>
      serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, resolve));`,
};

/** Prints the response of an endpoint at `/api/mcp` on this port, and exits. */
const ping = `
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const answer = await fetch(\`http://127.0.0.1:\${port}/api/mcp\`, { method: 'POST', headers, body });
  process.stdout.write(await answer.text(), () => process.exit());
`;

const guides = [
  'server',
  'apps',
  'apps-host',
  'auth',
  'scopes',
  'skills',
  'extensions',
  'transports',
  'client',
  'stores',
  'testing',
  'tool-search',
].map((name) => `docs/${name}.md`);

/** Runs code in a temporary folder that resolves the built packages. */
async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const cache = join(root, 'node_modules/.cache/ccmcp');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'docs-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 10 });
  }
}

/** The TypeScript code of a guide as files. A comment in the first line names a file that others import. */
function programs(document: string): { name: string; code: string }[] {
  const code = blocks(read(document)).filter(({ language }) => language === 'ts');
  return code.map((block, index) => ({
    name: /^\/\/ (\S+\.ts)\n/.exec(block.code)?.[1] ?? `${relative('docs', document)}-${index + 1}.ts`,
    code: asModule(block.code),
  }));
}

/** Types as a user gets them: from the built packages. */
function project(files: string[]): object {
  const compilerOptions = { customConditions: [], noUnusedLocals: false };
  return { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files };
}

/** Names that code without imports may use, as the guide says. Other code imports its server from `./server.ts`. */
const surroundings = `
import { createServer, ErrorCode, image, prompt, ProtocolError, resource, type Server, template, text, tool, type Tool, ToolError } from '@ccmcp/core';
declare const server: Server;
`;

/** Modules of the reader that guides import. */
const own = [
  { name: 'my-tools.ts', code: "import type { Tool } from '@ccmcp/core';\nexport declare const tools: Tool[];\n" },
  { name: 'my-model.ts', code: 'export declare function embed(text: string): Promise<readonly number[]>;\n' },
];

function asModule(code: string): string {
  return /^import /m.test(code) ? code : `${surroundings}{\n${code}}\n`;
}
