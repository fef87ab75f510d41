import { describe, expect, it } from 'vitest';
import { closest } from './edit-distance.ts';

describe('closest', () => {
  it.each([
    ['nam', 'name'],
    ['Name', 'name'],
    ['nmae', 'name'],
    ['desciption', 'description'],
  ])('takes %s for %s', (name, meant) => {
    expect(closest(name, ['id', 'description', 'name'])).toBe(meant);
  });

  it('takes the nearest of several', () => {
    expect(closest('tags', ['tabs', 'tag', 'tagss', 'TAGS'])).toBe('TAGS');
  });

  it('makes no wild guesses', () => {
    expect(closest('x', ['y'])).toBeUndefined();
    expect(closest('city', ['name', 'id'])).toBeUndefined();
    expect(closest('', ['a'])).toBeUndefined();
    expect(closest('a', [])).toBeUndefined();
    expect(closest('x'.repeat(1000), ['x'.repeat(999)])).toBeUndefined();
  });
});
