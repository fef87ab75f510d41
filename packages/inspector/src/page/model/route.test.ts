import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute, sections } from './route.ts';

describe('the address of the page', () => {
  it('says where one is, and leads back there', () => {
    const place = fc.record({
      server: fc.string({ minLength: 1 }),
      section: fc.constantFrom(...sections),
      name: fc.string({ minLength: 1, unit: 'grapheme' }),
      args: fc.option(fc.json({ maxDepth: 2 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(place, (here) => {
        expect(parseRoute(formatRoute(here))).toEqual(here);
      }),
    );
  });

  it('leaves out arguments that are too long for it', () => {
    const here = { server: 'notes', section: 'tools', name: 'add', args: `"${'x'.repeat(5000)}"` } as const;
    expect(parseRoute(formatRoute(here))).toEqual({ ...here, args: undefined });
  });

  it('takes what it does not know for no place', () => {
    expect(parseRoute('')).toEqual({});
    expect(parseRoute('#/')).toEqual({});
    expect(parseRoute('#/notes/nowhere/x')).toEqual({
      server: 'notes',
      section: 'server',
      name: undefined,
      args: undefined,
    });
    expect(parseRoute('#/%E0%A4%A')).toMatchObject({ server: '%E0%A4%A' });
  });
});
