import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChallenge } from './discovery.ts';

describe('a WWW-Authenticate header', () => {
  it('gives the address of the metadata, the scope and the error', () => {
    expect(
      readChallenge(
        'Bearer error="insufficient_scope", scope="a b", resource_metadata="https://h/.well-known/x?a=1,2"',
      ),
    ).toEqual({
      schemes: new Set(['bearer']),
      error: 'insufficient_scope',
      scope: 'a b',
      resourceMetadata: 'https://h/.well-known/x?a=1,2',
    });
  });

  it.each([
    ['bEARER Scope=a', 'a'],
    ['Bearer scope = "a"', 'a'],
    ['Bearer realm="x, scope=\\"no\\"", scope="a"', 'a'],
    ['Basic realm="scope=no", Bearer scope="a"', 'a'],
    ['Basic scope="no", Bearer scope="a"', 'a'],
    ['Negotiate dG9rZW4=, Bearer scope="a"', 'a'],
    ['Negotiate dG9rZW4==, Bearer scope="a"', 'a'],
    ['Bearer, DPoP algs="ES256", scope="a"', 'a'],
    ['Bearer scope="a", scope="b"', 'a'],
    ['Bearer scope="a\\b"', 'ab'],
    ['Basic scope="no"', undefined],
    ['scope="no"', undefined],
    ['Bearer scope="unfinished', undefined],
    ['Bearer', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s has the scope %s', (header, scope) => {
    expect(readChallenge(header).scope).toBe(scope);
  });

  it('names all schemes', () => {
    expect([...readChallenge('Basic realm="a", DPoP algs="ES256", Bearer').schemes]).toEqual([
      'basic',
      'dpop',
      'bearer',
    ]);
  });

  it('is read to its end, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('"', '\\', '=', ',', ' ', 'a', 'Bearer', 'é', '\n')), (parts) => {
        expect(readChallenge(parts.join('')).schemes).toBeInstanceOf(Set);
      }),
    );
  });

  it('is read in linear time', () => {
    expect(readChallenge(`Bearer ${'a="\\"'.repeat(1e6)}`).scope).toBeUndefined();
    expect(readChallenge(`Bearer ${'a'.repeat(1e6)}`).scope).toBeUndefined();
  });
});
