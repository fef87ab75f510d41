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

  it('compares names of up to 40 characters', () => {
    const [short, long, longer] = ['x'.repeat(39), 'x'.repeat(40), 'x'.repeat(41)];
    expect(closest(long, [short])).toBe(short);
    expect(closest(short, [long])).toBe(long);
    expect(closest(longer, [long])).toBeUndefined();
    expect(closest(long, [longer])).toBeUndefined();
  });

  it('compares with the first 200 names', () => {
    const others = (count: number) => Array.from({ length: count }, () => 'something-else');
    expect(closest('nam', [...others(199), 'name'])).toBe('name');
    expect(closest('nam', [...others(200), 'name'])).toBeUndefined();
  });
});
