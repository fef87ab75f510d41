import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, portableBase64, toBase64, toBase64Url } from './base64.ts';

describe('base64', () => {
  it('is the same with what every runtime has as with what Node has', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40_000 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect([toBase64(bytes), portableBase64.encode(bytes)]).toEqual([text, text]);
        expect(Buffer.from(portableBase64.decode(text) ?? []).equals(bytes)).toBe(true);
        expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      }),
    );
  });

  it('is of the part of a buffer that is given', () => {
    const part = new Uint8Array([9, 251, 255, 9]).subarray(1, 3);
    expect([toBase64(part), portableBase64.encode(part), toBase64Url(part)]).toEqual(['+/8=', '+/8=', '-_8']);
  });

  it.each([
    ['', []],
    ['-_8', [251, 255]],
    ['+/8=', [251, 255]],
    ['AQ==', [1]],
    ['AQ', [1]],
    ['A', undefined],
    ['AQ===', undefined],
    ['A%Q=', undefined],
    ['AQ= =', undefined],
    ['é', undefined],
  ])('%j stands for %j', (text, bytes) => {
    const expected = bytes === undefined ? undefined : new Uint8Array(bytes);
    const plain = (given: Uint8Array | undefined): Uint8Array | undefined => given && new Uint8Array(given);
    expect([plain(fromBase64(text)), plain(portableBase64.decode(text))]).toEqual([expected, expected]);
  });
});
