import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute, sections } from './route.ts';

describe('the route in the URL', () => {
  it('survives encoding and parsing', () => {
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

  it('omits arguments that are too long', () => {
    const here = { server: 'notes', section: 'tools', name: 'add', args: `"${'x'.repeat(5000)}"` } as const;
    expect(parseRoute(formatRoute(here))).toEqual({ ...here, args: undefined });
  });

  it('ignores unknown sections', () => {
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
