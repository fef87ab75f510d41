import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { subcommands } from './commands.ts';
import { serveHelp } from '../serve/serve-file.ts';
import { commands, otherCommands } from '../client/commands.ts';
import { exitCodes } from './failure.ts';
import { commandHelp } from '../client/help.ts';
import { optionTexts } from '../client/options.ts';
import { problemKinds } from '../client/commands/probe.ts';

const document = readFileSync(new URL('../../../../docs/command.md', import.meta.url), 'utf8');
const all = { ...commands, ...otherCommands };

/** The rows of the table that follows a heading, as cells without code marks. */
function rows(heading: string): string[][] {
  const [, after = ''] = document.split(`\n## ${heading}\n`);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(after) ?? [];
  const lines = table.trimEnd().split('\n').slice(2);
  return lines.map((line) => {
    const cells = line.replaceAll('\\|', '\u0000').split('|').slice(1, -1);
    return cells.map((cell) => cell.trim().replaceAll('\u0000', '|').replaceAll('`', ''));
  });
}

describe('the document of the command', () => {
  it('has every command, with the usage that its help shows', () => {
    const told = rows('Commands').map(([name = '', usage = '']) => [name, usage]);
    expect(told).toEqual(Object.entries(all).map(([name, { usage }]) => [name, usage]));
  });

  it('has every option', () => {
    expect(rows('Options').map(([option]) => option)).toEqual(Object.values(optionTexts).map(({ shows }) => shows));
  });

  it('has every exit code', () => {
    const codes = Object.entries(exitCodes).map(([kind, { code, means }]) => [String(code), kind, means]);
    expect(rows('Exit codes')).toEqual(codes);
  });

  it('has every problem that a probe can name', () => {
    const kinds = Object.entries(problemKinds).map(([kind, exit]) => [kind, String(exitCodes[exit].code)]);
    expect(rows('What is wrong with a server').map(([kind = '', code = '']) => [kind, code])).toEqual(kinds);
  });

  it('shows every example', () => {
    const examples = Object.values(all).flatMap((command) => command.examples as readonly string[]);
    expect(examples.filter((example) => !document.includes(`\n${example}\n`))).toEqual([]);
    const served = Array.from(serveHelp.matchAll(/^ {2}(ccmcp serve .*)$/gm), ([, example = '']) => example);
    expect(served.length).toBeGreaterThan(1);
    expect(served.filter((example) => !document.includes(`\n${example}\n`))).toEqual([]);
  });
});

describe('the help', () => {
  it('is there for every command that can be run', () => {
    for (const name of Object.keys(all)) {
      expect(subcommands).toHaveProperty(name);
      expect(commandHelp(name)).toMatch(new RegExp(`^Usage: ccmcp ${name} (?:\\[?TARGET|\\[?URL)`));
    }
  });

  it.each([
    ['--count', 'listen'],
    ['--tokens', 'list'],
  ])('tells of %s where it means something', (option, command) => {
    expect(commandHelp(command)).toContain(option);
    expect(commandHelp('call')).not.toContain(option);
  });
});
