import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { help } from '../packages/cli/src/command/help.ts';
import { commandsOfOthers } from '../packages/cli/src/command/migration-hints.ts';
import { subcommands } from '../packages/cli/src/command/commands.ts';
import { packages } from '../scripts/packages.mjs';
import { root } from './support/imports.ts';

// Lists that people read are compared with what they list.

const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const section = (path: string, title: string): string =>
  new RegExp(`^## ${title}$(.*?)(?=^## |$(?![^]))`, 'ms').exec(text(path))?.[1] ?? '';
const all = (found: string, pattern: RegExp): string[] => [...found.matchAll(pattern)].map(([, name = '']) => name);
const folders = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'fixtures')
    .map(({ name }) => name);

/** `audit` alone only tells how its two commands are used. */
const commands = Object.keys(subcommands).filter((name) => name !== 'audit');

describe('every command, and nothing else,', () => {
  it('is in what "ccmcp --help" prints', () => {
    expect(all(help, /^ {2}ccmcp ((?:notes |audit )?[a-z]+) /gm).sort()).toEqual([...commands].sort());
  });

  it('is in the tables of docs/command.md', () => {
    expect(all(section('docs/command.md', 'Commands'), /^\| `([a-z ]+)` /gm).sort()).toEqual([...commands].sort());
  });

  it('is what a word of other tools leads to', () => {
    const isCommand = (name: string): boolean => Object.hasOwn(subcommands, name);
    expect(Object.keys(commandsOfOthers).filter(isCommand)).toEqual([]);
    const leads = Object.values(commandsOfOthers).map((line) => line.split(' ', 1)[0] ?? '');
    expect(leads.filter((name) => name !== '[SERVER]' && !isCommand(name))).toEqual([]);
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
