import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/imports.ts';

/** Families whose rows may stand in the legend before a test cites them. */
const announced = ['X'];

const legendFile = 'docs/rules.md';

/** Not scanned for citations: the legend, and this file with its made-up codes. */
const passedOver = [legendFile, 'test/rules.test.ts'];

// A code is S- or C- and one or two letters, or two letters, or X; then a dash and the number. Nothing may continue it on
// either side: that rules out UTF-16, SHA-256, EUI-48 and BE-EF-00. Other single letters are no family: P-256 is a curve.
const code = /(?<![\w-])(?:(?:[SC]-[A-Z]{1,2}|[A-Z]{2}|X)-\d{1,3}|trap \d+\.\d+)(?![\w-])/g;

interface Row {
  readonly family: string;
  readonly code: string;
  readonly cells: readonly string[];
}

interface File {
  readonly path: string;
  readonly text: string;
}

function codesIn(text: string): string[] {
  return Array.from(text.matchAll(code), ([found]) => found);
}

/** The rows of a legend, each with the family of the heading above it. */
function rowsOf(legend: string): Row[] {
  return legend.split(/^### /m).flatMap((section, index) => {
    const family = index === 0 ? '' : section.slice(0, section.indexOf(':'));
    const lines = section.split('\n').filter((line) => /^\|(?! code \|| --- \|)/.test(line));
    return lines.map((line) => {
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { family, code: cells[0] ?? '', cells };
    });
  });
}

function familyOf(name: string): string {
  return name.replace(/[- ][\d.]+$/, '');
}

function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0]);
}

/** Whether a file is a test, or what only tests use: a document that mentions a code holds nothing. */
function isTest({ path }: File): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/');
}

/** Where citations and legend do not agree. */
function disagreements(files: readonly File[], rows: readonly Row[]): string[] {
  const explained = rows.map((row) => row.code);
  const held = new Set(files.filter(isTest).flatMap(({ text }) => codesIn(text)));
  const missing = files.flatMap(({ path, text }) =>
    codesIn(text)
      .filter((cited) => !explained.includes(cited))
      .map((cited) => `${cited} is cited in ${path} and has no row`),
  );
  const twice = explained.filter((name, index) => explained.indexOf(name) !== index);
  const idle = explained.filter((name) => !held.has(name) && !announced.includes(familyOf(name)));
  return [
    ...missing,
    ...twice.map((name) => `${name} has two rows`),
    ...idle.map((name) => `${name} is cited by no test`),
  ];
}

const date = String.raw`\d{4}-\d{2}-\d{2}`;
const revisions = new RegExp(`^(?:all|(?:from |up to )?${date}|${date} to ${date})$`);

/** What is wrong with the rows themselves. */
function flaws(rows: readonly Row[]): string[] {
  return rows.flatMap((row, index) => {
    const [, demand = '', applies = '', source = ''] = row.cells;
    const before = rows[index - 1];
    const found = [
      codesIn(row.code)[0] !== row.code && 'is no code',
      familyOf(row.code) !== row.family && `stands under ${row.family}`,
      before?.family === row.family && numberOf(before.code) > numberOf(row.code) && `stands after ${before.code}`,
      row.cells.length !== 4 && `has ${row.cells.length} cells`,
      !/^[A-Z`].*[^.]\.$/.test(demand) && 'has no sentence',
      demand.length > 200 && 'has a sentence that is too long',
      !revisions.test(applies) && `applies to "${applies}"`,
      source === '' && 'has no source',
    ];
    return found.filter((flaw) => flaw !== false).map((flaw) => `${row.code} ${flaw}`);
  });
}

/** Every text in which a code may be cited. */
function scanned(): File[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return /^(?:node_modules|dist|coverage|\..*)$/.test(entry.name) ? [] : below(path);
      return /\.(?:[cm]?[jt]s|md)$/.test(path) && !passedOver.includes(path) ? [path] : [];
    });
  const documents = ['AGENTS.md', 'CONTRIBUTING.md'];
  const paths = ['packages', 'test', 'scripts', 'bench', 'examples', 'docs'].flatMap(below);
  return [...documents, ...paths].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

describe('the rules that tests cite', () => {
  const legend = readFileSync(join(root, legendFile), 'utf8');
  const rows = rowsOf(legend);

  it('have a row in the legend each, and no row is there for nothing', () => {
    expect(disagreements(scanned(), rows)).toEqual([]);
  });

  it('are explained in order: a sentence, the revisions and the source', () => {
    expect(rows.length).toBeGreaterThan(300);
    expect(flaws(rows)).toEqual([]);
  });

  it('are of revisions that exist', () => {
    const existing = readFileSync(join(root, 'docs/revisions.md'), 'utf8');
    const named = rows.flatMap(({ cells }) => cells[2]?.match(new RegExp(date, 'g')) ?? []);
    expect([...new Set(named)].filter((revision) => !existing.includes(revision))).toEqual([]);
  });
});

describe('the checks notice', () => {
  const legend = [
    '| S-A-01 | Stands under no heading. | all | Basic |',
    '### S-B: messages',
    '| code | what is demanded | revisions | source |',
    '| --- | --- | --- | --- |',
    '| S-B-01 | A message is JSON. | all | Basic |',
    '| S-B-02 | An answer has an id. | up to 2025-11-25 | Basic |',
    '### X: extensions',
    '| X-01 | An extension has a name. | from 2025-03-26 | Basic |',
  ].join('\n');
  const rows = rowsOf(legend).slice(1);
  const citing = (text: string, path = 'test/a.test.ts') => ({ path, text });
  const both = citing("it('does it (S-B-01, S-B-02)')");

  it('codes in full, and nothing that only looks like one', () => {
    expect(codesIn('(S-B-01, S-IO-3) HT-99: X-01, trap 8.17. C-CA-01')).toEqual([
      'S-B-01',
      'S-IO-3',
      'HT-99',
      'X-01',
      'trap 8.17',
      'C-CA-01',
    ]);
    expect(
      codesIn('UTF-8 UTF-16 SHA-256 P-256 BSD-3 EUI-48 BE-EF-00-11 2026-07-28 CVE-2025-6514 X-Own -32602'),
    ).toEqual([]);
  });

  it('nothing where citations and rows agree, announced rows included', () => {
    expect(disagreements([both], rows)).toEqual([]);
    expect(flaws(rows)).toEqual([]);
  });

  it('a row that is gone, and a code that nobody explained', () => {
    expect(disagreements([both], rows.slice(1))).toEqual(['S-B-01 is cited in test/a.test.ts and has no row']);
    expect(disagreements([both, citing('(ZZ-01)', 'docs/a.md')], rows)).toEqual([
      'ZZ-01 is cited in docs/a.md and has no row',
    ]);
  });

  it('a row that no test cites, whatever documents say', () => {
    expect(disagreements([citing('S-B-01'), citing('S-B-02', 'docs/a.md')], rows)).toEqual([
      'S-B-02 is cited by no test',
    ]);
  });

  it('a code with two rows', () => {
    expect(disagreements([both], [...rows, ...rows.slice(0, 1)])).toEqual(['S-B-01 has two rows']);
  });

  it.each([
    ['| S-B-03 | A sentence. | all | |', 'S-B-03 has no source'],
    ['| S-B-03 | A sentence. | all |', 'S-B-03 has 3 cells', 'S-B-03 has no source'],
    ['| S-B-03 | No full stop | all | Basic |', 'S-B-03 has no sentence'],
    ['| S-B-03 | | all | Basic |', 'S-B-03 has no sentence'],
    [`| S-B-03 | A${'a'.repeat(200)}. | all | Basic |`, 'S-B-03 has a sentence that is too long'],
    ['| S-B-03 | A sentence. | most | Basic |', 'S-B-03 applies to "most"'],
    ['| S-B-00 | A sentence. | all | Basic |', 'S-B-00 stands after S-B-02'],
    ['| S-V-03 | A sentence. | all | Basic |', 'S-V-03 stands under S-B'],
    ['| rule | A sentence. | all | Basic |', 'rule is no code', 'rule stands under S-B'],
  ])('what is wrong with %s', (row, ...problems) => {
    expect(flaws(rowsOf(legend.replace('### X', `${row}\n### X`)).slice(1))).toEqual(problems);
  });

  it('a row above the first heading', () => {
    expect(flaws(rowsOf(legend).slice(0, 1))).toEqual(['S-A-01 stands under ']);
  });
});
