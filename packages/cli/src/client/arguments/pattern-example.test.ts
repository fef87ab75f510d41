import { describe, expect, it } from 'vitest';
import { patternExample } from './pattern-example.ts';

describe('a text generated for a pattern', () => {
  it.each([
    '^[A-Z]{3}-\\d+$',
    '^(foo|bar)?$',
    '^(?:https?)://[^/\\s]+/.*$',
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    'abc',
    '^\\+?[1-9]\\d{1,14}$',
    '^#[0-9a-fA-F]{6}$',
    '^v\\d+\\.\\d+\\.\\d+$',
    '^[^\\d]+$',
    '^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$',
    '^\\s*\\S+\\s*$',
    '^(^a|b$)$',
    '^[-_]$',
    '^.{2,5}?$',
    '',
  ])('matches %s', (pattern) => {
    const made = patternExample(pattern);
    expect(made).toMatch(new RegExp(pattern));
  });

  it.each([
    ['^[a-z]+$', 12],
    ['^a*$', 3],
    ['^\\d{2,}$', 5],
    ['^x{1,9}$', 7],
  ])('has the required length: %s with %i', (pattern, least) => {
    const made = patternExample(pattern, least) ?? '';
    expect(made).toMatch(new RegExp(pattern));
    expect(made.length).toBeGreaterThanOrEqual(least);
  });

  it.each([
    '(?=x)x',
    '(a)\\1',
    '^a$b',
    'a^b',
    '\\bword\\b',
    '(',
    ')',
    '[',
    '*',
    '[^\\w]',
    '[^a-z]',
    '(?<n>a)',
    '('.repeat(900),
    'a{5000}',
  ])('is not generated for an unsupported pattern: %s', (pattern) => {
    expect(patternExample(pattern)).toBeUndefined();
  });

  it('takes no time for any pattern', () => {
    expect(patternExample('^(([a-z])+.)+[A-Z]([a-z])+$'.repeat(3))).toBeUndefined();
    expect(patternExample('((((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9})')).toBeUndefined();
  });
});
