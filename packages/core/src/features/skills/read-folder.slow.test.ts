import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFolder } from './read-folder.ts';

describe('a folder of skills', () => {
  it('is rejected with too many files and folders', () => {
    const at = mkdtempSync(join(tmpdir(), 'skills-'));
    onTestFinished(() => rmSync(at, { recursive: true, force: true, maxRetries: 10 }));
    mkdirSync(join(at, 'a'));
    writeFileSync(join(at, 'a/SKILL.md'), '');
    for (let index = 0; index < 8192; index++) writeFileSync(join(at, `a/${index}`), '');
    expect(() => readFolder(at)).toThrow(/more than 8192 files and folders below/);
  });
});
