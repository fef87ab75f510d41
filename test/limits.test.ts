import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '@ccmcp/core';
import { describe, expect, it } from 'vitest';
import { commandGroups } from '../packages/cli/src/commands.ts';
import { generalHelp } from '../packages/cli/src/serve/help.ts';
import { publishedSources, root } from './support/imports.ts';
import { amount, marks, withTables, written } from './support/limits-table.ts';

const sources = publishedSources().filter(({ path }) => !path.endsWith('/src/limits.ts'));
const named = Object.entries(limits).flatMap(([group, each]) =>
  Object.entries(each).map(([name, limit]) => ({ path: `${group}.${name}`, limit })),
);

/** The last part of an option's name: `max` of `sessions.max`. */
function lastPart(option: string): string {
  return option.slice(option.lastIndexOf('.') + 1);
}

/** The values of limits for an option, by its full name or its last part. */
function valuesOf(option: string): number[] {
  return named.flatMap(({ limit }) =>
    limit.option === option || lastPart(limit.option ?? '') === option ? [limit.value] : [],
  );
}

/** Defaults in comments above options, such as `Default: 1 MiB.` */
function documentedDefaults(text: string): { option: string; value: number }[] {
  const found = text.matchAll(/Default: ([^.]+)\. \*\/\n\s*(\w+)\?: number/g);
  return Array.from(found, ([, documented = '', option = '']) => ({ option, value: amount(documented) ?? 0 })).filter(
    ({ value }) => value > 0,
  );
}

/** Defaults in tables of a document whose rows begin with an option. */
function tabledDefaults(text: string): { option: string; value: number }[] {
  const rows = text.matchAll(/^\| `([\w.]+)` +\|.*\| +([^|]+?) +\|$/gm);
  return Array.from(rows, ([, option = '', documented = '']) => ({ option, value: amount(documented) ?? 0 })).filter(
    ({ option, value }) => value > 0 && valuesOf(option).length > 0,
  );
}

/** Documented defaults that match no limit. */
function wrong(documented: { option: string; value: number }[]): { option: string; value: number }[] {
  return documented.filter(({ option, value }) => !valuesOf(option).includes(value));
}

describe('the limits', () => {
  it.each(named)('are enforced: $path is used', ({ path }) => {
    const readers = sources.filter(({ text }) => text.includes(`limits.${path}.value`));

    expect(readers.map((each) => each.path)).not.toEqual([]);
  });

  it.each(named)('are amounts that can be documented: $path', ({ limit }) => {
    expect(limit.value).toBeGreaterThan(0);
    expect(Number.isSafeInteger(limit.value)).toBe(true);
    expect(limit.what).not.toMatch(/[|\n]|\.$/);
    expect(limit.option === undefined).toBe(limit.of === undefined);
  });

  it.each(named.filter(({ limit }) => limit.option !== undefined))('can be configured: $path', ({ limit }) => {
    const declared = new RegExp(`\\b${lastPart(limit.option ?? '')}\\?: number`);
    const taken = new RegExp(`\\b${limit.of}\\b`);

    expect(sources.some(({ text }) => declared.test(text))).toBe(true);
    expect(sources.some(({ text }) => taken.test(text))).toBe(true);
    if (limit.flag !== undefined) expect(generalHelp(commandGroups)).toContain(` ${limit.flag} `);
  });
});

describe('the documented limits', () => {
  it.each(['README.md', 'docs/limits.md'])('in the tables of %s is what they are', async (file) => {
    const text = readFileSync(join(root, file), 'utf8');

    expect(marks(text)).not.toEqual([]);
    await expect(withTables(text), 'npx vitest run test/limits.test.ts -u writes the tables').toMatchFileSnapshot(
      join(root, file),
    );
  });

  it('are all of them, each once', () => {
    expect(marks(readFileSync(join(root, 'docs/limits.md'), 'utf8')).sort()).toEqual(Object.keys(limits).sort());
  });

  it('above options are their defaults', () => {
    const documented = sources.flatMap(({ text }) => documentedDefaults(text));

    expect(documented.length).toBeGreaterThan(15);
    expect(wrong(documented)).toEqual([]);
  });

  it.each(readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md') && file !== 'limits.md'))(
    'in tables of options in docs/%s is their default',
    (file) => {
      expect(wrong(tabledDefaults(readFileSync(join(root, 'docs', file), 'utf8')))).toEqual([]);
    },
  );
});

describe('a wrong default is found', () => {
  it('above an option', () => {
    const text =
      '  /** So many. Default: 10 001. */\n  pageSize?: number;\n  /** Free. Default: 0, a free one. */\n  port?: number;';

    expect(wrong(documentedDefaults(text))).toEqual([{ option: 'pageSize', value: 10_001 }]);
  });

  it('in a table', () => {
    const text =
      '| `sessions.idleMs` | how long | 31 minutes |\n| `maxBody` | how much | 1 MiB |\n| `port` | where | 1 |\n';

    expect(wrong(tabledDefaults(text))).toEqual([{ option: 'sessions.idleMs', value: 31 * 60_000 }]);
  });

  it('in a generated table', () => {
    const mark = '<!-- limits: stdio.grace, server.pageSize -->\n';
    const made = withTables(`${mark}| old |\nText.`);

    expect(made).toMatch(/^<!-- .* -->\n\| what +\| limit +\| change it with +\|\n\| -+ \| -+ \| -+ \|\n/);
    expect(made).toMatch(
      /\| 4500 ms +\| `grace` of `serveStdio` +\|\n.*\| 10 000 +\| `pageSize` of `createServer` \|\nText\.$/,
    );
    expect(withTables(made)).toBe(made);
    expect(() => withTables('<!-- limits: stdio.nothing -->\n')).toThrow('No limit is called "stdio.nothing"');
  });
});

describe('an amount', () => {
  it.each([
    [1024 * 1024, 'bytes', '1 MiB'],
    [1_000_000, 'bytes', '1 000 000 bytes'],
    [8192, 'bytes', '8 KiB'],
    [32 * 1024 * 1024, 'characters', '32 Mi characters'],
    [8192, 'characters', '8192 characters'],
    [60 * 60 * 1000, 'milliseconds', '1 hour'],
    [90_000, 'milliseconds', '90 seconds'],
    [500, 'milliseconds', '500 ms'],
    [120, 'seconds', '2 minutes'],
    [10_000, 'count', '10 000'],
    [4096, 'count', '4096'],
  ] as const)('of %d %s is written %s', (value, unit, text) => {
    expect(written({ value, unit, what: 'it' })).toBe(text);
  });

  it.each([
    ['1 MiB', 1024 * 1024],
    ['64 Mi', 64 * 1024 * 1024],
    ['10 000', 10_000],
    ['30 s', 30_000],
    ['10 minutes', 600_000],
    ['0, a free one', undefined],
    ['1 0', undefined],
  ])('%s is read', (text, value) => {
    expect(amount(text)).toBe(value);
  });
});
