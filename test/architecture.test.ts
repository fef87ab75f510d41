import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicNames, publishedSources, type Source, source } from './support/imports.ts';

const columns = [
  ['runtime'],
  ['jsonrpc'],
  ['schema', 'stores'],
  ['protocol'],
  ['revisions'],
  ['server', 'client'],
  ['extensions', 'telemetry', 'audit'],
  ['auth', 'metrics'],
  ['transports'],
  ['testing'],
];

/** Stands left of everything: it imports nothing, and every folder may read it. */
const pageLeaf = 'packages/core/src/page-limits.ts';

/** The same, but that it lists what stands there. */
const leaf = 'packages/core/src/limits.ts';

/** Versions of another conversation than the protocol's own. */
const otherDates = [
  'packages/core/src/extensions/apps/host/capabilities.ts',
  'packages/inspector/src/server/model/anthropic.ts',
  'packages/servers/src/views/host/host.ts',
];

const heavy = ['typebox', 'node:vm', 'node:http', 'node:https', 'node:crypto'];

const names = publicNames();

/** The file that an import leads to; undefined for what is not of this repository. */
function target({ path }: Source, from: string): string | undefined {
  return from.startsWith('.') ? join(dirname(path), from) : names.get(from);
}

/** The package that an import names, such as `typebox` or `@ccmcp/core`; undefined for files and built-ins. */
function packageOf(from: string): string | undefined {
  if (from.startsWith('.') || from.startsWith('node:')) return undefined;
  return /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0];
}

function folderOf(path: string): string | undefined {
  return /^packages\/core\/src\/([^/]+)\//.exec(path)?.[1];
}

function columnOf(folder: string): number {
  return columns.findIndex((column) => column.includes(folder));
}

/** Imports of the core that point to the right, or sideways. Types count: they are knowledge too. */
function layerProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((file) => {
    const own = folderOf(file.path);
    if (file.path === leaf || file.path === pageLeaf) {
      return file.imports
        .filter((each) => target(file, each.from) !== pageLeaf)
        .map(({ from }) => `${file.path} imports ${from}`);
    }
    if (own === undefined) return [];
    if (columnOf(own) === -1) return [`${file.path} is in a folder that has no place in the layering`];
    return file.imports.flatMap(({ from }) => {
      const path = target(file, from);
      if (path === undefined || path === leaf || path === pageLeaf) return [];
      const other = folderOf(path);
      const allowed = other !== undefined && (other === own || columnOf(other) < columnOf(own));
      return allowed ? [] : [`${file.path} imports ${path}`];
    });
  });
}

/** Where an import leaves its package, or enters another one not by its front door. */
function borderProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((file) => {
    const home = file.path.split('/').slice(0, 2).join('/');
    return file.imports.flatMap(({ from }) => {
      const leaves = from.startsWith('.') && !join(dirname(file.path), from).startsWith(`${home}/`);
      const intrudes = from.startsWith('@ccmcp/') && !names.has(from);
      const ownName = names.get(from)?.startsWith(`${home}/`);
      return leaves || intrudes || ownName ? [`${file.path} imports ${from}`] : [];
    });
  });
}

/** Files that import each other in a circle, as `a -> b -> a`. Types count: whoever reads one file must read the other. */
function cycles(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  return circlesIn(
    new Map(
      sources.map((file) => [
        file.path,
        file.imports.flatMap(({ from }) => target(file, from) ?? []).filter((path) => byPath.has(path)),
      ]),
    ),
  );
}

/** Folders of transports that import each other in a circle. */
function roomCycles(sources: readonly Source[]): string[] {
  const rooms = new Map<string, string[]>();
  for (const file of sources.filter(({ path }) => path.startsWith('packages/core/src/transports/'))) {
    const own = dirname(file.path);
    const others = file.imports
      .flatMap(({ from }) => target(file, from) ?? [])
      .map((path) => dirname(path))
      .filter((other) => other !== own && other.startsWith('packages/core/src/transports'));
    rooms.set(own, [...(rooms.get(own) ?? []), ...others]);
  }
  return circlesIn(rooms);
}

function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) found.push([...trail.slice(trail.indexOf(node)), node].join(' -> '));
    if (trail.includes(node) || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}

/** Where production code leans on what is there for tests. */
function testingProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((file) => {
    if (folderOf(file.path) === 'testing' || file.path === 'packages/core/src/testing.ts') return [];
    return file.imports
      .filter(({ from }) => from === '@ccmcp/core/testing' || folderOf(target(file, from) ?? '') === 'testing')
      .map(({ from }) => `${file.path} imports ${from}`);
  });
}

/** All files that are loaded together with one. */
function filesWith(entry: string, sources: readonly Source[]): Source[] {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const seen = new Map<string, Source>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || seen.has(path)) return;
    seen.set(path, file);
    for (const { from, kind } of file.imports) if (kind === 'static') visit(target(file, from) ?? '');
  };
  visit(entry);
  return [...seen.values()];
}

/** Everything from outside that is loaded together with a file. */
function loadedWith(entry: string, sources: readonly Source[]): Set<string> {
  const outside = filesWith(entry, sources).flatMap((file) =>
    file.imports
      .filter(({ from, kind }) => kind === 'static' && target(file, from) === undefined)
      .map(({ from }) => packageOf(from) ?? from),
  );
  return new Set(outside);
}

function datedFiles(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path, text }) => !path.startsWith('packages/core/src/revisions/') && /20\d\d-\d\d-\d\d/.test(text))
    .map(({ path }) => path)
    .filter((path) => !otherDates.includes(path));
}

describe('the sources', () => {
  const sources = publishedSources();

  it('are all found', () => {
    expect(sources.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'packages/core/src/index.ts',
        'packages/core/src/server/methods/tools/call.ts',
        'packages/servers/src/ccmcp/server.ts',
        'packages/redis/src/store.ts',
        'packages/cli/src/main.ts',
      ]),
    );
    const dangling = sources.flatMap((file) =>
      file.imports
        .map(({ from }) => target(file, from))
        .filter((path) => path?.endsWith('.ts') && !sources.some((other) => other.path === path)),
    );
    expect(dangling).toEqual([]);
  });

  it('of the core import from their left only', () => {
    expect(layerProblems(sources)).toEqual([]);
  });

  it('never import each other in a circle, not even for types', () => {
    expect(cycles(sources)).toEqual([]);
  });

  it('of the transports stand in rooms that do not import each other', () => {
    expect(roomCycles(sources)).toEqual([]);
  });

  it('need nothing that is there for tests', () => {
    expect(testingProblems(sources)).toEqual([]);
  });

  it('use other packages of the workspace by their public names', () => {
    expect(borderProblems(sources)).toEqual([]);
  });

  it.each([
    ['core', ['typebox', '@opentelemetry/api', 'yaml']],
    ['servers', ['astronomy-engine', 'english-verbs-irregular', 'libsql', 'pg']],
    ['redis', ['ioredis']],
    ['cli', ['jsonc-parser', 'toml-eslint-parser', 'yaml']],
  ])('of %s use no MCP SDK, and no other packages but those that were decided on', (name, decided) => {
    const own = sources.filter(({ path }) => path.startsWith(`packages/${name}/`));
    const used = own.flatMap((file) => file.imports.flatMap(({ from }) => packageOf(from) ?? []));
    expect(new Set(used.filter((other) => !other.startsWith('@ccmcp/')))).toEqual(new Set(decided));
  });

  it('name no revision outside the folder of revisions', () => {
    expect(datedFiles(sources)).toEqual([]);
  });

  it.each(['packages/cli/src/main.ts', 'packages/cli/src/serve/serve.ts', 'packages/core/src/stdio.ts'])(
    'load nothing heavy together with %s',
    (entry) => {
      const loaded = loadedWith(entry, sources);
      expect(heavy.filter((name) => loaded.has(name))).toEqual([]);
    },
  );

  it('load neither the command table nor the help together with the command, which may have to serve', () => {
    const files = filesWith('packages/cli/src/main.ts', sources).map(({ path }) => path);
    const late =
      /cli\/src\/(?:client|install|completion|new|top|audit|notes|login|inspect|doctor)\/|command\/(?:commands|help|migration-hints|failure)/;
    expect(files).toContain('packages/cli/src/serve/serve-options.ts');
    expect(files.filter((path) => late.test(path))).toEqual([]);
  });

  it.each(['index', 'http', 'client', 'apps-host'])(
    "load no module of Node's together with %s.ts, so that it works elsewhere",
    (entry) => {
      expect([...loadedWith(`packages/core/src/${entry}.ts`, sources)]).toEqual([]);
    },
  );

  it.each([
    'core/src/index',
    'core/src/stdio',
    'core/src/http',
    'cli/src/main',
    'cli/src/serve/serve',
    'cli/src/serve/listen',
  ])('load nothing that measures, and no address for operators, together with packages/%s.ts', (entry) => {
    const files = filesWith(`packages/${entry}.ts`, sources).map(({ path }) => path);
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((path) => /\/(metrics|admin|top)\/(?!.*\/)|request-log|loop-delay/.test(path))).toEqual([]);
  });

  it('load the server, its transport and its files together with the command', () => {
    expect([...loadedWith('packages/cli/src/serve/serve.ts', sources)]).toEqual(
      expect.arrayContaining(['node:fs', 'node:path']),
    );
  });
});

describe('the scanner', () => {
  it.each([
    ["import { a } from './a.ts';", './a.ts', 'static'],
    ["import a, { b } from './a.ts';", './a.ts', 'static'],
    ["import * as a from './a.ts';", './a.ts', 'static'],
    ["import {\n  a,\n  type B,\n} from './a.ts';", './a.ts', 'static'],
    ["import { type A } from './a.ts';", './a.ts', 'static'],
    ["import './a.ts';", './a.ts', 'static'],
    ['import { a } from "./a.ts";', './a.ts', 'static'],
    ["import a from './a.json' with { type: 'json' };", './a.json', 'static'],
    ["export { a } from './a.ts';", './a.ts', 'static'],
    ["export * from './a.ts';", './a.ts', 'static'],
    ["export * as a from './a.ts';", './a.ts', 'static'],
    ["import type { A } from './a.ts';", './a.ts', 'type'],
    ["export type { A } from './a.ts';", './a.ts', 'type'],
    ["  const { a } = await import('./a.ts');", './a.ts', 'late'],
  ])('reads %j', (text, from, kind) => {
    expect(source('x.ts', `const before = 1;\n${text}\nconst after = 2;`).imports).toMatchObject([{ from, kind }]);
  });

  it('reads several, and nothing from comments or texts', () => {
    const text =
      "import { a } from './a.ts';\nimport { b } from './b.ts';\n// import './c.ts'\n * import { d } from './d.ts';";
    expect(source('x.ts', text).imports.map(({ from }) => from)).toEqual(['./a.ts', './b.ts']);
    expect(source('x.ts', "export const from = 'x';\nexport function f() {}\nconst t = 'y';").imports).toEqual([]);
  });
});

function core(path: string, text = ''): Source {
  return source(`packages/core/src/${path}`, text);
}

describe('the rules catch', () => {
  it.each([
    ['an import to the right', core('protocol/a.ts', "import { b } from '../server/b.ts';")],
    ['a type from the right', core('jsonrpc/a.ts', "import type { B } from '../protocol/b.ts';")],
    ['a late import from the right', core('revisions/a.ts', "await import('../transports/b.ts');")],
    ['an import from beside', core('schema/a.ts', "import { b } from '../stores/b.ts';")],
    ['an import of an entry', core('server/a.ts', "import { b } from '../index.ts';")],
    ['an import of an entry by name', core('server/a.ts', "import { b } from '@ccmcp/core';")],
    ['a folder without a place', core('helpers/a.ts')],
    ['an import by the leaf', core('limits.ts', "import { b } from './jsonrpc/b.ts';")],
    ['a type of a package in the leaf', core('limits.ts', "import type { B } from 'node:http';")],
    ['an import of another root file', core('jsonrpc/a.ts', "import { b } from '../bounds.ts';")],
  ])('%s', (_, file) => {
    expect(layerProblems([file])).toHaveLength(1);
  });

  it('nothing where imports point left, or come from an entry', () => {
    const left = core('server/a.ts', "import { b } from '../jsonrpc/b.ts';\nimport { c } from './methods/c.ts';");
    const entry = core('index.ts', "export { a } from './transports/a.ts';");
    const bounded = core('jsonrpc/framing/a.ts', "import { limits } from '../../limits.ts';");
    expect(layerProblems([left, entry, bounded, core('limits.ts')])).toEqual([]);
  });

  it('a circle, however it is closed', () => {
    const a = core('server/a.ts', "import { b } from './b.ts';");
    const b = core('server/b.ts', "import { c } from './c.ts';");
    expect(cycles([a, b, core('server/c.ts', "import { a } from './a.ts';")])).toEqual([
      [a, b, core('server/c.ts'), a].map(({ path }) => path).join(' -> '),
    ]);
    expect(cycles([a, b, core('server/c.ts', "await import('./a.ts');")])).toHaveLength(1);
    expect(cycles([a, b, core('server/c.ts', "import type { A } from './a.ts';")])).toHaveLength(1);
    expect(cycles([a, b, core('server/c.ts')])).toEqual([]);
  });

  it('two rooms that import each other', () => {
    const post = core('transports/http/server/post/a.ts', "import { b } from '../get/b.ts';");
    expect(roomCycles([post, core('transports/http/server/get/b.ts')])).toEqual([]);
    const back = core('transports/http/server/get/b.ts', "import type { C } from '../post/c.ts';");
    expect(roomCycles([post, back, core('transports/http/server/post/c.ts')])).toHaveLength(1);
  });

  it.each([
    source('packages/cli/src/a.ts', "import { testClient } from '@ccmcp/core/testing';"),
    core('server/a.ts', "import { testClient } from '../testing/client.ts';"),
  ])('something for tests in production: $path', (file) => {
    expect(testingProblems([file])).toHaveLength(1);
  });

  it.each([
    ["import { a } from '../../core/src/index.ts';"],
    ["import { a } from '@ccmcp/core/server/call';"],
    ["import { a } from '@ccmcp/servers/ccmcp';"],
  ])('a server that writes %s', (text) => {
    expect(borderProblems([source('packages/servers/src/a.ts', text)])).toHaveLength(1);
  });

  it('something heavy behind several imports, but not behind a late one', () => {
    const files = [
      core('stdio.ts', "export { a } from './server/a.ts';"),
      core('server/a.ts', "import { b } from '../schema/b.ts';\nimport type { C } from 'node:crypto';"),
      core('schema/b.ts', "import { Compile } from 'typebox/schema';\nawait import('node:vm');"),
    ];
    expect([...loadedWith('packages/core/src/stdio.ts', files)]).toEqual(['typebox']);
  });

  it('a date', () => {
    expect(
      datedFiles([core('server/a.ts', "if (version >= '2025-06-18') {}"), core('revisions/x.ts', '2025-06-18')]),
    ).toEqual(['packages/core/src/server/a.ts']);
  });
});
