import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../command/failure.ts';
import { commandGroups, commands } from '../commands.ts';
import { generalHelp } from './help.ts';
import { problemKinds } from '../client/commands/probe.ts';

const document = readFileSync(new URL('../../../../docs/command.md', import.meta.url), 'utf8');

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

describe('docs/command.md', () => {
  it('has every problem that a probe reports', () => {
    const kinds = Object.entries(problemKinds).map(([kind, exit]) => [kind, String(exitCodes[exit].code)]);
    expect(rows('Diagnosing a server').map(([kind = '', code = '']) => [kind, code])).toEqual(kinds);
  });

  it('shows every example of client commands and of serve', () => {
    const shown = commands.filter((command) => 'ownOptions' in command || command.name === 'serve');
    const examples = shown.flatMap((command) => command.examples);
    expect(examples.length).toBeGreaterThan(30);
    expect(examples.filter((example) => !document.includes(`\n${example}\n`))).toEqual([]);
  });
});

describe('the help of a command', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    '%s has its usage and options',
    async (name, command) => {
      const text = await command.help();
      expect(text).toMatch(new RegExp(`^Usage: ccmcp ${name}(?: |\n)`));
      expect(text.endsWith('\n') && !text.endsWith('\n\n')).toBe(true);
      expect(text).toContain('  --help ');
    },
  );

  it.each([
    ['--count', 'listen'],
    ['--tokens', 'list'],
  ])('shows %s where it applies', async (option, name) => {
    const help = (wanted: string) => commands.find((command) => command.name === wanted)?.help();
    expect(await help(name)).toContain(option);
    expect(await help('call')).not.toContain(option);
  });
});

describe('the general help', () => {
  const help = generalHelp(commandGroups);

  it('begins with the usage', () => {
    expect(help).toMatch(/^Usage: ccmcp \[SERVER…\] \[options\]\n/);
  });

  it.each(['--root DIR', '--framing', '--max-message', '--log-level', '--http', '--version', '--help', 'CCMCP_ROOT'])(
    'has %s',
    (option) => {
      expect(help).toContain(option);
    },
  );

  it('fits into 125 columns', () => {
    expect(help.split('\n').filter((line) => line.length > 125)).toEqual([]);
  });
});
