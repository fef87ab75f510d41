import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classSizes } from './support/class-members.ts';
import { publicNames, publishedSources, type Source, source } from './support/imports.ts';

const columns = [
  ['runtime'],
  ['jsonrpc'],
  ['schema', 'stores'],
  ['protocol'],
  ['revisions'],
  ['server', 'client'],
  ['features'],
  ['auth'],
  ['transports'],
  ['testing'],
];

const kernel = ['jsonrpc', 'schema', 'protocol', 'revisions', 'server', 'client'];

/** The features that build on another one. All others import only the kernel. */
const featureImports = [
  'quotas imports rate-limit',
  'recording imports audit',
  'result-budget imports client-quirks',
  'skills imports scopes',
  'tool-search imports result-budget',
];

/**
 * The files in which the kernel names a feature: its public options, and its place in the pipeline. Add none: a feature
 * plugs in.
 */
const kernelNames: [feature: RegExp, files: string[]][] = [
  [/scopes/i, ['server/define/feature-options.ts', 'server/peer.ts']],
  [/quota/i, ['server/pipeline/pipeline.ts', 'server/pipeline/step.ts']],
  [/idempotency/i, ['client/connect-options.ts', 'client/request-options.ts', 'protocol/meta.ts']],
  [
    /\btasks?\b|Task(?!s?[a-z])/,
    ['revisions/2025-11-25.ts', 'revisions/2026-07-28.ts', 'server/define/feature-options.ts'],
  ],
];

/** Maximum number of members of a class: one with more has several roles. */
const maxMembers = 30;

/** The folders and files of the command, in the same order: imports point left. */
const commandColumns = [
  ['host.ts'],
  ['terminal'],
  ['system'],
  ['command'],
  ['servers', 'config'],
  ['client'],
  [
    'audit',
    'completion',
    'contracts',
    'inspect',
    'install',
    'login',
    'new',
    'notes',
    'publish',
    'record',
    'top',
    'types',
  ],
  ['serve'],
  ['gateway'],
  ['openapi'],
  ['commands.ts'],
  ['run-command.ts'],
  ['main.ts'],
];

/** Imports nothing; every folder may import it. */
const pageLeaf = 'packages/core/src/page-limits.ts';

/** Imports only the leaf above; every folder may import it. */
const leaf = 'packages/core/src/limits.ts';

/** Dated versions of other protocols. */
const otherDates = [
  'packages/cli/src/publish/server-json.ts',
  'packages/core/src/features/apps/host/capabilities.ts',
  'packages/inspector/src/server/model/anthropic.ts',
  'packages/servers/src/everything/view.ts',
  'packages/servers/src/views/host/host.ts',
];

const heavy = ['typebox', 'jose', 'node:vm', 'node:http', 'node:https', 'node:crypto'];

const names = publicNames();

/** The file that an import refers to; undefined for other packages. */
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

/** Imports of the core that point to the right, or sideways. Type imports count: they couple files too. */
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

/** Imports of the command that point to the right, or from one group of commands to another. */
function commandLayerProblems(sources: readonly Source[]): string[] {
  const roomOf = (path: string): string | undefined => /^packages\/cli\/src\/([^/]+)/.exec(path)?.[1];
  const column = (room: string): number => commandColumns.findIndex((rooms) => rooms.includes(room));
  return sources.flatMap((file) => {
    const own = roomOf(file.path);
    if (own === undefined) return [];
    if (column(own) === -1) return [`${file.path} is in a folder that has no place in the layering`];
    return file.imports.flatMap(({ from }) => {
      const path = target(file, from) ?? '';
      const other = roomOf(path);
      const isAllowed = other === undefined || other === own || column(other) < column(own);
      return isAllowed ? [] : [`${file.path} imports ${path}`];
    });
  });
}

/** Imports that leave their package, or enter another one other than through its public entry. */
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

/** Import cycles, as `a -> b -> a`. Type imports count: a reader of one file has to read the other. */
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

/** Cycles between the folders of the transports. */
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

/** Production code that imports test helpers. */
function testingProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((file) => {
    if (folderOf(file.path) === 'testing' || file.path === 'packages/core/src/testing.ts') return [];
    return file.imports
      .filter(({ from }) => from === '@ccmcp/core/testing' || folderOf(target(file, from) ?? '') === 'testing')
      .map(({ from }) => `${file.path} imports ${from}`);
  });
}

/** All files that are loaded together with a file. */
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

/** All external modules that are loaded together with a file. */
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

/** Classes with too many members. */
function tooLarge(sources: readonly Source[]): string[] {
  return sources
    .flatMap(classSizes)
    .filter(({ members }) => members > maxMembers)
    .map(({ name }) => name);
}

describe('the classes', () => {
  it(`have at most ${maxMembers} members`, () => {
    const sources = publishedSources(/\.tsx?$/);
    expect(sources.flatMap(classSizes).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Call', 'Client', 'AppState', 'NoteForm']),
    );
    expect(tooLarge(sources)).toEqual([]);
  });

  it.each([
    ['fields', '  a = 1;\n  readonly #b: string;\n  static c: { d: 1 } = {\n    d: 1,\n  };', 3],
    [
      'accessors and methods',
      '  get a(): 1 {\n    return 1;\n  }\n\n  async #b(\n    c: 1,\n  ): Promise<1> {\n  }',
      2,
    ],
    ['computed names and generators', "  [Symbol.iterator]() {\n  }\n\n  *a() {\n  }\n\n  'b-c'() {\n  }", 3],
    ['parameters that are fields', '  constructor(\n    readonly a: 1,\n    b: 2,\n  ) {\n    this.c = b;\n  }', 1],
    ['no comments', '  /**\n   * a = 1;\n   */\n  a = 1;\n  // b = 1;', 1],
  ])('have their members counted: %s', (_, body, members) => {
    const file = source('a.ts', `export class A<T> extends B implements C {\n${body}\n}\n\nclass D {\n  e = 1;\n}\n`);
    expect(classSizes(file)).toEqual([
      { name: 'A', members },
      { name: 'D', members: 1 },
    ]);
  });

  it('are found in functions, anonymous, after empty ones and with long headings', () => {
    const file = source(
      'a.ts',
      'class A extends Error {}\nfunction b() {\n  class C {\n    d = 1;\n  }\n}\nconst e = class extends F {\n  g = 1;\n};\nclass H\n  extends I\n  implements J\n{\n  k = 1;\n}\n',
    );
    expect(classSizes(file).map(({ name, members }) => [name, members])).toEqual([
      ['C', 1],
      ['anonymous', 1],
      ['H', 1],
    ]);
  });
});

describe('the sources', () => {
  const sources = publishedSources();

  it('are all found', () => {
    expect(sources.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'packages/core/src/index.ts',
        'packages/core/src/server/methods/tools/call.ts',
        'packages/servers/src/ccmcp/server.ts',
        'packages/gateway/src/remote.ts',
        'packages/openapi/src/open-api.ts',
        'packages/redis/src/store.ts',
        'packages/postgres/src/store.ts',
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

  it('of the core import only from folders to their left', () => {
    expect(layerProblems(sources)).toEqual([]);
  });

  it('of a feature import no other feature, except one they build on', () => {
    const featureOf = (path: string): string | undefined => /^packages\/core\/src\/features\/([^/]+)\//.exec(path)?.[1];
    const found = sources.flatMap((file) => {
      const own = featureOf(file.path);
      const others = file.imports.map(({ from }) => featureOf(target(file, from) ?? ''));
      return others
        .filter((other) => own !== undefined && other !== undefined && other !== own)
        .map((other) => `${own} imports ${other}`);
    });
    expect([...new Set(found)].sort()).toEqual(featureImports);
  });

  it.each(kernelNames)('of the kernel name %s in few files', (feature, files) => {
    const names = sources.filter(({ path, text }) => kernel.includes(folderOf(path) ?? '') && feature.test(text));
    expect(names.map(({ path }) => path.replace('packages/core/src/', '')).sort()).toEqual(files);
  });

  it('of the command import only from folders to their left, and no group of commands imports another', () => {
    expect(commandLayerProblems(sources)).toEqual([]);
  });

  it('have no import cycle, including type imports', () => {
    expect(cycles(sources)).toEqual([]);
  });

  it('of the transports are in folders that do not import each other', () => {
    expect(roomCycles(sources)).toEqual([]);
  });

  it('import no test helpers', () => {
    expect(testingProblems(sources)).toEqual([]);
  });

  it('use other packages of the workspace by their public names', () => {
    expect(borderProblems(sources)).toEqual([]);
  });

  it.each([
    ['core', ['typebox', '@opentelemetry/api', 'yaml', 'jose']],
    ['servers', ['astronomy-engine', 'english-verbs-irregular', 'libsql', 'pg']],
    ['gateway', []],
    ['openapi', ['js-yaml']],
    ['redis', ['ioredis']],
    ['postgres', ['pg']],
    ['cli', ['fflate', 'jsonc-parser', 'toml-eslint-parser', 'yaml']],
  ])('of %s use no MCP SDK, and only listed dependencies', (name, decided) => {
    const own = sources.filter(({ path }) => path.startsWith(`packages/${name}/`));
    const used = own.flatMap((file) => file.imports.flatMap(({ from }) => packageOf(from) ?? []));
    expect(new Set(used.filter((other) => !other.startsWith('@ccmcp/')))).toEqual(new Set(decided));
  });

  it('contain no revision date outside the folder of revisions', () => {
    expect(datedFiles(sources)).toEqual([]);
  });

  it.each(['packages/cli/src/main.ts', 'packages/cli/src/serve/serve.ts', 'packages/core/src/stdio.ts'])(
    'load nothing heavy together with %s',
    (entry) => {
      const loaded = loadedWith(entry, sources);
      expect(heavy.filter((name) => loaded.has(name))).toEqual([]);
    },
  );

  it('do not load command tables, help and output before the command starts to serve', () => {
    const files = filesWith('packages/cli/src/main.ts', sources).map(({ path }) => path);
    const late =
      /cli\/src\/(?:commands\.ts|(?:client|config|install|completion|new|top|audit|notes|login|inspect)\/)|serve\/(?:help|migration-hints)|serve-options|terminal\/|command\//;
    expect(files).toContain('packages/cli/src/servers/serve-command.ts');
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
    'cli/src/serve/serve-http',
  ])('load no metrics and no admin address with packages/%s.ts', (entry) => {
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

/**
 * Layers of the inspector's server and probe, left to right: each imports only from its left. The longest match counts.
 */
const inspectorLayers = [
  ['shared'],
  ['probe/target.ts', 'probe/http.ts', 'probe/report.ts'],
  ['probe/auth'],
  ['probe'],
  ['probe.ts'],
  ['server/log'],
  ['server/targets.ts', 'server/is-same-secret.ts'],
  ['server/files', 'server/target-resolver.ts'],
  ['server/connections'],
  ['server/sign-in', 'server/model', 'server/doctor.ts', 'server/page-settings.ts'],
  ['server/context.ts'],
  ['server/snippets'],
  ['server/requests'],
  ['server/http'],
  ['server'],
  ['index.ts'],
];

/** Layers of the inspector's page, which knows neither server nor probe. */
const inspectorPageLayers = [
  ['shared'],
  ['page/model'],
  ['page/components'],
  ['page/content', 'page/diff', 'page/lists'],
  ['page/form', 'page/palette', 'page/recordings', 'page/skills', 'page/subscriptions'],
  ['page/apps', 'page/questions', 'page/compare', 'page/server-list'],
  ['page/tasks', 'page/connection'],
  ['page/result'],
  ['page/detail', 'page/timeline'],
  ['page'],
];

/** Imports of the inspector that point to the right, sideways, or from the page to the server. */
function inspectorProblems(sources: readonly Source[]): string[] {
  const home = 'packages/inspector/src/';
  const layerOf = (
    path: string,
    layers: readonly (readonly string[])[],
  ): [column: number, name: string] | undefined => {
    const within = layers.flatMap((names, column) =>
      names
        .filter((name) => path === `${home}${name}` || path.startsWith(`${home}${name}/`))
        .map((name): [number, string] => [column, name]),
    );
    return within.toSorted(([, one], [, other]) => other.length - one.length)[0];
  };
  return sources
    .filter(({ path }) => path.startsWith(home))
    .flatMap((file) => {
      const layers = file.path.startsWith(`${home}page/`) ? inspectorPageLayers : inspectorLayers;
      const own = layerOf(file.path, layers);
      if (own === undefined) return [`${file.path} is in no layer`];
      return file.imports.flatMap(({ from }) => {
        const path = target(file, from);
        if (path === undefined || !path.startsWith(home)) return [];
        const other = layerOf(path, layers);
        const isAllowed = other !== undefined && (other[1] === own[1] || other[0] < own[0]);
        return isAllowed ? [] : [`${file.path} imports ${path}`];
      });
    });
}

describe('the inspector', () => {
  const sources = publishedSources(/\.tsx?$/).filter(({ path }) => path.startsWith('packages/inspector/'));

  it('imports only from layers to the left', () => {
    expect(sources.map(({ path }) => path)).toContain('packages/inspector/src/page/workbench.tsx');
    expect(inspectorProblems(sources)).toEqual([]);
  });

  it('has no import cycle, including type imports', () => {
    expect(cycles(sources)).toEqual([]);
  });

  it.each([
    ['to the right', 'page/model/a.ts', '../form/b.ts'],
    ['sideways', 'page/content/a.ts', '../diff/b.ts'],
    ['from the page to its server', 'page/model/a.ts', '../../server/log/event-log.ts'],
    ['from the probe to the server', 'probe/a.ts', '../server/targets.ts'],
    ['from a file in no layer', 'other/a.ts', '../shared/json.ts'],
  ])('is reported for an import %s', (_, path, from) => {
    const file = source(`packages/inspector/src/${path}`, `import { b } from '${from}';`);
    expect(inspectorProblems([file])).toHaveLength(1);
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

  it('reads several imports, and ignores comments and strings', () => {
    const text =
      "import { a } from './a.ts';\nimport { b } from './b.ts';\n// import './c.ts'\n * import { d } from './d.ts';";
    expect(source('x.ts', text).imports.map(({ from }) => from)).toEqual(['./a.ts', './b.ts']);
    expect(source('x.ts', "export const from = 'x';\nexport function f() {}\nconst t = 'y';").imports).toEqual([]);
  });
});

function core(path: string, text = ''): Source {
  return source(`packages/core/src/${path}`, text);
}

describe('the rules report', () => {
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

  it('nothing for imports to the left, or from an entry', () => {
    const left = core('server/a.ts', "import { b } from '../jsonrpc/b.ts';\nimport { c } from './methods/c.ts';");
    const entry = core('index.ts', "export { a } from './transports/a.ts';");
    const bounded = core('jsonrpc/framing/a.ts', "import { limits } from '../../limits.ts';");
    expect(layerProblems([left, entry, bounded, core('limits.ts')])).toEqual([]);
  });

  it.each([
    ['a group of commands that imports another', "import { a } from '../install/a.ts';"],
    ['a late import of another group', "await import('../inspect/a.ts');"],
    ['a type of the command table', "import type { A } from '../commands.ts';"],
  ])('%s', (_, text) => {
    expect(commandLayerProblems([source('packages/cli/src/login/a.ts', text)])).toHaveLength(1);
    expect(commandLayerProblems([source('packages/cli/src/main.ts', text.replace('../', './'))])).toEqual([]);
  });

  it('a folder of the command without a layer', () => {
    expect(commandLayerProblems([source('packages/cli/src/helpers/a.ts', '')])).toHaveLength(1);
  });

  it('an import cycle of any shape', () => {
    const a = core('server/a.ts', "import { b } from './b.ts';");
    const b = core('server/b.ts', "import { c } from './c.ts';");
    expect(cycles([a, b, core('server/c.ts', "import { a } from './a.ts';")])).toEqual([
      [a, b, core('server/c.ts'), a].map(({ path }) => path).join(' -> '),
    ]);
    expect(cycles([a, b, core('server/c.ts', "await import('./a.ts');")])).toHaveLength(1);
    expect(cycles([a, b, core('server/c.ts', "import type { A } from './a.ts';")])).toHaveLength(1);
    expect(cycles([a, b, core('server/c.ts')])).toEqual([]);
  });

  it('two folders that import each other', () => {
    const post = core('transports/http/server/post/a.ts', "import { b } from '../get/b.ts';");
    expect(roomCycles([post, core('transports/http/server/get/b.ts')])).toEqual([]);
    const back = core('transports/http/server/get/b.ts', "import type { C } from '../post/c.ts';");
    expect(roomCycles([post, back, core('transports/http/server/post/c.ts')])).toHaveLength(1);
  });

  it.each([
    source('packages/cli/src/a.ts', "import { testClient } from '@ccmcp/core/testing';"),
    core('server/a.ts', "import { testClient } from '../testing/client.ts';"),
  ])('a test helper in production code: $path', (file) => {
    expect(testingProblems([file])).toHaveLength(1);
  });

  it.each([
    ["import { a } from '../../core/src/index.ts';"],
    ["import { a } from '@ccmcp/core/server/call';"],
    ["import { a } from '@ccmcp/servers/ccmcp';"],
  ])('a server that writes %s', (text) => {
    expect(borderProblems([source('packages/servers/src/a.ts', text)])).toHaveLength(1);
  });

  it('a heavy module behind several imports, but not behind a lazy one', () => {
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
