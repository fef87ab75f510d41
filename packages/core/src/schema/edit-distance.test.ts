import { describe, expect, it } from 'vitest';
import { closestName } from './known-options.ts';

describe('closest', () => {
  it.each([
    ['nam', 'name'],
    ['Name', 'name'],
    ['nmae', 'name'],
    ['desciption', 'description'],
  ])('corrects %s to %s', (name, meant) => {
    expect(closestName(name, ['id', 'description', 'name'])).toBe(meant);
  });

  it('suggests the nearest of several', () => {
    expect(closestName('tags', ['tabs', 'tag', 'tagss', 'TAGS'])).toBe('TAGS');
  });

  it('suggests nothing if no name is near', () => {
    expect(closestName('x', ['y'])).toBeUndefined();
    expect(closestName('city', ['name', 'id'])).toBeUndefined();
    expect(closestName('', ['a'])).toBeUndefined();
    expect(closestName('a', [])).toBeUndefined();
    expect(closestName('x'.repeat(1000), ['x'.repeat(999)])).toBeUndefined();
  });

  it('compares names of up to 40 characters', () => {
    const [short, long, longer] = ['x'.repeat(39), 'x'.repeat(40), 'x'.repeat(41)];
    expect(closestName(long, [short])).toBe(short);
    expect(closestName(short, [long])).toBe(long);
    expect(closestName(longer, [long])).toBeUndefined();
    expect(closestName(long, [longer])).toBeUndefined();
  });

  it('compares with the first 200 names', () => {
    const others = (count: number) => Array.from({ length: count }, () => 'something-else');
    expect(closestName('nam', [...others(199), 'name'])).toBe('name');
    expect(closestName('nam', [...others(200), 'name'])).toBeUndefined();
  });
});
