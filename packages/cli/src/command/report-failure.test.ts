import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reportFailure } from './report-failure.ts';

function reportMissing(path: string, args: readonly string[]): { code: number; text: string } {
  let text = '';
  try {
    readFileSync(path);
  } catch (error) {
    const code = reportFailure(error, { args }, (written) => void (text += written));
    return { code, text };
  }
  throw new Error(`${path} exists`);
}

describe('a missing file', () => {
  it('is a usage error if the command line names it', () => {
    expect(reportMissing('/nonexist', ['verify', '/nonexist'])).toEqual({
      code: 2,
      text: 'ccmcp: there is no file or folder /nonexist\n',
    });
    const { code, text } = reportMissing('/nonexist', ['verify', '/nonexist', '--json']);
    expect([code, JSON.parse(text).error.exitCode]).toEqual([2, 2]);
  });

  it('is a usage error, too, if its folder is missing', () => {
    expect(reportMissing('/nonexist', ['verify', '/nonexist/file']).code).toBe(2);
  });

  it('is unexpected if the command line does not name it', () => {
    expect(reportMissing('/nonexist', ['verify', '/other']).code).toBe(1);
    expect(reportMissing('/nonexist', ['verify', '--', '/nonexist']).code).toBe(1);
  });
});
