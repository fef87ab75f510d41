import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findVerb, decodeWords, wordnetVerbs } from '../../english/verb.ts';
import { encodeWords, verbsIn } from './make.mjs';

const single = wordnetVerbs().filter((verb) => !verb.includes('-'));

describe('the verbs of WordNet', () => {
  it('are single words, unique and sorted', () => {
    const verbs = wordnetVerbs();
    expect(verbs.filter((verb) => !/^[a-z]+(?:-[a-z]+)*$/.test(verb))).toEqual([]);
    expect(new Set(verbs).size).toBe(verbs.length);
    expect([...verbs].sort()).toEqual(verbs);
  });

  it('are 8,431 without hyphens, at least 98 % of them known', () => {
    expect(single).toHaveLength(8431);
    const known = single.filter((verb) => findVerb(verb) !== undefined);
    expect(known.length / single.length).toBeGreaterThanOrEqual(0.98);
  });

  it('are excluded only if they are misspelled or have unknown inflections', () => {
    expect(wordnetVerbs().filter((verb) => findVerb(verb) === undefined)).toEqual(
      'benficiate ca-ca cackel conge gi log-in lyric matt-up relyric rubric shoetree white-out whiteout'.split(' '),
    );
  });
});

describe('encoding words', () => {
  it('keeps every word', () => {
    const word = fc.stringMatching(/^[a-z]{1,40}(?:-[a-z]{1,8})?$/);
    fc.assert(
      fc.property(fc.uniqueArray(word), (words) => {
        const sorted = [...words].sort();
        expect(decodeWords(encodeWords(sorted).join(''))).toEqual(sorted);
      }),
    );
  });

  it('reads single-word verbs from an index, without its licence', () => {
    const index = '  1 This software and database  \ngo v 30 1 @ 30 5 0\ngo_on v 1\nbaby-sit v 1\no.k. v 1\n';
    expect(verbsIn(index)).toEqual(['baby-sit', 'go']);
  });

  it('is reproduced by the script', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wordnet-'));
    onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
    cpSync(fileURLToPath(new URL('make.mjs', import.meta.url)), join(folder, 'make.mjs'));
    writeFileSync(
      join(folder, 'index.verb'),
      wordnetVerbs()
        .map((verb) => `${verb} v 1\n`)
        .join(''),
    );
    execFileSync(process.execPath, [join(folder, 'make.mjs'), join(folder, 'index.verb')]);
    const kept = readFileSync(new URL('verbs.json', import.meta.url), 'utf8');
    expect(readFileSync(join(folder, 'verbs.json'), 'utf8')).toBe(kept);
  });
});
