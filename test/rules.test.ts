import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import rules from './rules.json' with { type: 'json' };
import { root } from './support/imports.ts';

/** Families whose rules may be listed before a test cites them. */
const announced = ['X'];

/** Not scanned for citations: this file with its made-up codes. */
const ignored = ['test/rules.test.ts'];

// A code is S- or C- and one or two letters, or two letters, or X; then a dash and the number, without adjacent word
// characters: this excludes UTF-16, SHA-256, EUI-48 and BE-EF-00. Other single letters are no family: P-256 is a curve.
const code = /(?<![\w-])(?:(?:[SC]-[A-Z]{1,2}|[A-Z]{2}|X)-\d{1,3}|trap \d+\.\d+)(?![\w-])/g;

interface Rule {
  readonly family: string;
  readonly code: string;
  readonly demand: string;
  readonly revisions: string;
  readonly source: string;
}

interface File {
  readonly path: string;
  readonly text: string;
}

function codesIn(text: string): string[] {
  return Array.from(text.matchAll(code), ([found]) => found);
}

function toRule(family: string, [name = '', demand = '', revisions = '', source = '']: readonly string[]): Rule {
  return { family, code: name, demand, revisions, source };
}

function familyOf(name: string): string {
  return name.replace(/[- ][\d.]+$/, '');
}

function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0]);
}

/** True for tests and their helpers: a document that mentions a code checks nothing. */
function isTest({ path }: File): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/');
}

/** Codes that are cited but not listed, listed twice, or listed but not cited by a test. */
function citationProblems(files: readonly File[], listed: readonly Rule[]): string[] {
  const codes = listed.map((rule) => rule.code);
  const cited = new Set(files.filter(isTest).flatMap(({ text }) => codesIn(text)));
  const unknown = files.flatMap(({ path, text }) =>
    codesIn(text)
      .filter((each) => !codes.includes(each))
      .map((each) => `${each} is cited in ${path} and not listed`),
  );
  const twice = codes.filter((name, index) => codes.indexOf(name) !== index);
  const uncited = codes.filter((name) => !cited.has(name) && !announced.includes(familyOf(name)));
  return [
    ...unknown,
    ...twice.map((name) => `${name} is listed twice`),
    ...uncited.map((name) => `${name} is cited by no test`),
  ];
}

const date = String.raw`\d{4}-\d{2}-\d{2}`;
const revisions = new RegExp(`^(?:all|(?:from |up to )?${date}|${date} to ${date})$`);

/** Problems of the rules themselves. */
function formProblems(listed: readonly Rule[]): string[] {
  return listed.flatMap((rule, index) => {
    const before = listed[index - 1];
    const found = [
      codesIn(rule.code)[0] !== rule.code && 'is no code',
      familyOf(rule.code) !== rule.family && `is listed under ${rule.family}`,
      before?.family === rule.family && numberOf(before.code) > numberOf(rule.code) && `is listed after ${before.code}`,
      !/^[A-Z`].*[^.]\.$/.test(rule.demand) && 'has no sentence',
      rule.demand.length > 200 && 'has a sentence that is too long',
      !revisions.test(rule.revisions) && `applies to "${rule.revisions}"`,
      rule.source === '' && 'has no source',
    ];
    return found.filter((problem) => problem !== false).map((problem) => `${rule.code} ${problem}`);
  });
}

/** All files in which a code may be cited. */
function scannedFiles(): File[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return /^(?:node_modules|dist|coverage|\..*)$/.test(entry.name) ? [] : below(path);
      return /\.(?:[cm]?[jt]s|md)$/.test(path) && !ignored.includes(path) ? [path] : [];
    });
  const documents = ['AGENTS.md', 'CONTRIBUTING.md'];
  const paths = ['packages', 'test', 'scripts', 'bench', 'examples', 'docs'].flatMap(below);
  return [...documents, ...paths].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

describe('the rules in test/rules.json', () => {
  const listed = rules.flatMap(({ family, rules: rows }) => rows.map((row) => toRule(family, row)));

  it('are each cited by a test, and every cited code is one of them', () => {
    expect(citationProblems(scannedFiles(), listed)).toEqual([]);
  });

  it('have a sentence, revisions and a source each, in order', () => {
    expect(listed.length).toBeGreaterThan(300);
    expect(formProblems(listed)).toEqual([]);
  });

  it('name revisions that exist', () => {
    const existing = readFileSync(join(root, 'docs/revisions.md'), 'utf8');
    const named = listed.flatMap((rule) => rule.revisions.match(new RegExp(date, 'g')) ?? []);
    expect([...new Set(named)].filter((revision) => !existing.includes(revision))).toEqual([]);
  });
});

describe('the checks of rules', () => {
  const listed = [
    toRule('S-B', ['S-B-01', 'A message is JSON.', 'all', 'Basic']),
    toRule('S-B', ['S-B-02', 'An answer has an id.', 'up to 2025-11-25', 'Basic']),
    toRule('X', ['X-01', 'An extension has a name.', 'from 2025-03-26', 'Basic']),
  ];
  const citing = (text: string, path = 'test/a.test.ts') => ({ path, text });
  const both = citing("it('does it (S-B-01, S-B-02)')");

  it('find complete codes, and nothing that only resembles one', () => {
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

  it('accept rules that agree with their citations, announced ones included', () => {
    expect(citationProblems([both], listed)).toEqual([]);
    expect(formProblems(listed)).toEqual([]);
  });

  it('report a cited code that is not listed', () => {
    expect(citationProblems([both], listed.slice(1))).toEqual(['S-B-01 is cited in test/a.test.ts and not listed']);
    expect(citationProblems([both, citing('(ZZ-01)', 'docs/a.md')], listed)).toEqual([
      'ZZ-01 is cited in docs/a.md and not listed',
    ]);
  });

  it('report a rule that no test cites, even if documents do', () => {
    expect(citationProblems([citing('S-B-01'), citing('S-B-02', 'docs/a.md')], listed)).toEqual([
      'S-B-02 is cited by no test',
    ]);
  });

  it('report a code that is listed twice', () => {
    expect(citationProblems([both], [...listed, ...listed.slice(0, 1)])).toEqual(['S-B-01 is listed twice']);
  });

  it.each([
    [['S-B-03', 'A sentence.', 'all', ''], 'S-B-03 has no source'],
    [['S-B-03', 'A sentence.', 'all'], 'S-B-03 has no source'],
    [['S-B-03', 'No full stop', 'all', 'Basic'], 'S-B-03 has no sentence'],
    [['S-B-03', '', 'all', 'Basic'], 'S-B-03 has no sentence'],
    [['S-B-03', `A${'a'.repeat(200)}.`, 'all', 'Basic'], 'S-B-03 has a sentence that is too long'],
    [['S-B-03', 'A sentence.', 'most', 'Basic'], 'S-B-03 applies to "most"'],
    [['S-B-00', 'A sentence.', 'all', 'Basic'], 'S-B-00 is listed after S-B-02'],
    [['S-V-03', 'A sentence.', 'all', 'Basic'], 'S-V-03 is listed under S-B'],
    [['rule', 'A sentence.', 'all', 'Basic'], 'rule is no code', 'rule is listed under S-B'],
  ] as const)('report the form of %j', (row, ...problems) => {
    expect(formProblems([...listed.slice(0, 2), toRule('S-B', row)])).toEqual(problems);
  });
});
