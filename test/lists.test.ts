import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandGroups, commands as allCommands } from '../packages/cli/src/commands.ts';
import { generalHelp } from '../packages/cli/src/serve/help.ts';
import { servingAliases } from '../packages/cli/src/serve/migration-hints.ts';
import { packages } from '../scripts/packages.mjs';
import { blockNames, commandBlocks, withCommandTables } from './support/command-tables.ts';
import { root } from './support/imports.ts';

// Documented lists are compared with the code.

const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const section = (path: string, title: string): string =>
  new RegExp(`^## ${title}$(.*?)(?=^## |$(?![^]))`, 'ms').exec(text(path))?.[1] ?? '';
const all = (found: string, pattern: RegExp): string[] => [...found.matchAll(pattern)].map(([, name = '']) => name);
const folders = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'fixtures')
    .map(({ name }) => name);

/** `audit` alone only explains its two commands. */
const commands = allCommands.filter(({ hidden }) => hidden !== true);
const names = commands.map(({ name }) => name);

describe('every command, and nothing else,', () => {
  it('is in the output of "ccmcp --help"', () => {
    expect(
      all(generalHelp(commandGroups), /^ {2}ccmcp ((?:notes |audit |gateway (?=status))?[a-z]+)(?: |$)/gm).toSorted(),
    ).toEqual(names.toSorted());
  });

  it('is in docs/command.md, with its arguments, options and examples', async () => {
    const document = text('docs/command.md');
    expect(commandBlocks(document)).toEqual(blockNames);
    await expect(
      withCommandTables(document),
      'npx vitest run test/lists.test.ts -u writes the tables',
    ).toMatchFileSnapshot(join(root, 'docs/command.md'));
  });

  it('is the target of an alias of another tool', () => {
    const aliases = Object.assign({}, ...allCommands.map((command) => command.aliases ?? {})) as Record<string, string>;
    expect(Object.keys({ ...aliases, ...servingAliases }).filter((alias) => names.includes(alias))).toEqual([]);
    const leads = Object.values(aliases).map((line) => line.split(' ', 1)[0] ?? '');
    expect(leads.length).toBeGreaterThan(0);
    expect(leads.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('every package', () => {
  const built = packages.map(({ name }: { name: string }) => name);

  it('is built and released', () => {
    expect([...built].sort()).toEqual(folders('packages').sort());
  });

  it('is in the table of docs/architecture.md', () => {
    const table = section('docs/architecture.md', 'The packages');
    expect(all(table, /^\| `packages\/([a-z]+)` /gm).sort()).toEqual([...built].sort());
  });

  it('is on the map of AGENTS.md', () => {
    expect(all(section('AGENTS.md', 'Where is what'), /^packages\/([a-z]+)\/src\/ /gm).sort()).toEqual(
      [...built].sort(),
    );
  });

  it('is published in the order of CONTRIBUTING.md, after those it is built from', () => {
    const [step = ''] = /^7\. .*?(?=^8\. )/ms.exec(section('CONTRIBUTING.md', 'Making a release')) ?? [];
    expect(all(step, /`packages\/([a-z]+)`/g)).toEqual(built);
  });
});

describe('every folder of the command', () => {
  const rooms = folders('packages/cli/src');

  it('is in the table of docs/architecture.md', () => {
    expect(all(text('docs/architecture.md'), /^\| `packages\/cli\/src\/([a-z-]+)\/` /gm).sort()).toEqual(rooms.sort());
  });

  it('is on the map of AGENTS.md', () => {
    const [line = ''] = /^packages\/cli\/src\/ .*$/m.exec(text('AGENTS.md')) ?? [];
    for (const room of rooms) expect(line).toMatch(new RegExp(`\\b${room}\\b`));
  });
});
