import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tellFailure } from './tell-failure.ts';

function told(path: string, args: readonly string[]): { code: number; text: string } {
  let text = '';
  try {
    readFileSync(path);
  } catch (error) {
    const code = tellFailure(error, { args }, (words) => void (text += words));
    return { code, text };
  }
  throw new Error(`${path} is there`);
}

describe('a file that is missing', () => {
  it('is a mistake in the command line that names it', () => {
    expect(told('/nonexist', ['verify', '/nonexist'])).toEqual({
      code: 2,
      text: 'ccmcp: There is no file or folder /nonexist\n',
    });
    const { code, text } = told('/nonexist', ['verify', '/nonexist', '--json']);
    expect([code, JSON.parse(text).error.exitCode]).toEqual([2, 2]);
  });

  it('is one, too, where its folder is missing', () => {
    expect(told('/nonexist', ['verify', '/nonexist/file']).code).toBe(2);
  });

  it('is unexpected where nobody named it', () => {
    expect(told('/nonexist', ['verify', '/other']).code).toBe(1);
    expect(told('/nonexist', ['verify', '--', '/nonexist']).code).toBe(1);
  });
});
