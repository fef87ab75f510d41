import { describe, expect, it } from 'vitest';
import { type ColourChoice, hasColour } from './colour.ts';

describe('colour', () => {
  const cases: [string, boolean, ColourChoice, Record<string, string>, boolean][] = [
    ['on a terminal', true, 'auto', {}, true],
    ['in a pipe', false, 'auto', {}, false],
    ['on a terminal without abilities', true, 'auto', { TERM: 'dumb' }, false],
    ['where nobody wants it', true, 'auto', { NO_COLOR: '1' }, false],
    ['where NO_COLOR is empty', true, 'auto', { NO_COLOR: '' }, true],
    ['where it is forced', false, 'auto', { FORCE_COLOR: '1' }, true],
    ['where it is forced away', true, 'auto', { FORCE_COLOR: '0' }, false],
    ['where it is forced and unwanted', false, 'auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['where the command line says always', false, 'always', { NO_COLOR: '1' }, true],
    ['where the command line says never', true, 'never', { FORCE_COLOR: '1' }, false],
  ];

  it.each(cases)('%s', (_, isTTY, choice, env, expected) => {
    expect(hasColour({ isTTY }, choice, env)).toBe(expected);
  });
});
