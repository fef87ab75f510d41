import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../command/failure.ts';
import { commandGroups, commands } from '../commands.ts';
import { host, useHost } from '../host.ts';
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
    expect(help).toMatch(/^Usage: ccmcp COMMAND \[arguments\] \[options\]\n +ccmcp \[SERVER…\] \[options\]\n/);
  });

  it.each(['--root DIR', '--framing', '--max-message', '--log-level', '--http', '--version', '--help', 'CCMCP_ROOT'])(
    'has %s',
    (option) => {
      expect(help).toContain(option);
    },
  );

  it('shows the most common commands before the options of serving', () => {
    const at = ['ccmcp list', 'ccmcp call', 'ccmcp inspect', 'ccmcp new', 'ccmcp serve', 'ccmcp install', '--root DIR'];
    const places = at.map((text) => help.indexOf(`\n  ${text}`));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('names every command and every exit code', () => {
    const lines = help.split('\n');
    const shown = commands.filter(({ hidden }) => hidden !== true);
    expect(shown.filter(({ name }) => !lines.some((line) => `${line} `.startsWith(`  ccmcp ${name} `)))).toEqual([]);
    for (const { code, means } of Object.values(exitCodes)) {
      expect(help).toMatch(new RegExp(`\n  ${code} +${means.slice(0, 30)}`));
    }
  });
});

describe('help', () => {
  const texts = async (): Promise<string[]> => [
    generalHelp(commandGroups),
    ...(await Promise.all(commands.map(async (command) => command.help()))),
  ];
  const options = (text = ''): string[] => [...text.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name = '']) => name);

  it('fits into 80 columns if the width is unknown, except in examples', async () => {
    const lines = (await texts()).flatMap((text) => text.replace(/\nExamples:\n(?: {2}.*\n)+/, '\n').split('\n'));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([40, 100])('is wrapped between words at the width of the terminal: %i', async (columns) => {
    const words = (text: string): string[] => text.split(/\s+/);
    const expected = (await texts()).map(words);
    useHost({ ...host, stdout: { columns } as typeof host.stdout });
    onTestFinished(() => useHost());
    const wrapped = await texts();
    expect(wrapped.map(words)).toEqual(expected);
    const prose = wrapped.flatMap((text) => text.split('\n')).filter((line) => /^\w+ \w+ \w+ .*[^:]$/.test(line));
    expect(prose.filter((line) => line.length > columns)).toEqual([]);
  });

  it('of a client command has its own options first', async () => {
    const help = await commands.find(({ name }) => name === 'call')?.help();
    expect(options(help).slice(0, 2)).toEqual(['out', 'sample-with']);
    expect(options(help).at(-1)).toBe('help');
  });

  it.each(['login', 'logout', 'whoami'])('of %s has nothing about servers that are started', async (name) => {
    const help = (await commands.find((command) => command.name === name)?.help()) ?? '';
    expect(help).not.toMatch(/ready-made|mcp\.json/);
    expect(options(help).filter((option) => /^(?:env|era|framing|root|log-level)$/.test(option))).toEqual([]);
  });

  it('of a client command names the usual exit codes in a sentence, and where all are', async () => {
    const help = await commands.find(({ name }) => name === 'list')?.help();
    expect(help?.replaceAll('\n', ' ')).toContain('Exit codes: 0 done; 2 the command line is wrong; 3 ');
    expect(help?.replaceAll('\n', ' ')).toContain('"ccmcp --help" lists all.');
  });
});
