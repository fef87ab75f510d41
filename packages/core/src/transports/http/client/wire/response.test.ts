import { describe, expect, it } from 'vitest';
import { makeResponse } from '../fixtures/made-response.ts';
import { isOk, mediaType } from './response.ts';

describe('a response', () => {
  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('with %i is a success: %s', (status, expected) => {
    expect(isOk(makeResponse(status))).toBe(expected);
  });

  it.each([
    ['application/json', 'application/json'],
    [' Text/Event-Stream ; charset=utf-8', 'text/event-stream'],
    ['', ''],
  ])('of type %j is %j', (type, expected) => {
    expect(mediaType(makeResponse(200, { 'content-type': type }))).toBe(expected);
    expect(mediaType(makeResponse(200))).toBe('');
  });

  it('is read completely, also with split characters, up to the limit', async () => {
    const bytes = new TextEncoder().encode('grüße');
    async function* halves(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 3);
      yield bytes.subarray(3);
    }
    const { readText } = await import('./response.ts');
    expect(await readText(halves(), bytes.length)).toBe('grüße');
    expect(await readText(halves(), bytes.length - 1)).toBeUndefined();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 3);
    }
    expect(await readText(broken(), 10)).toBe('gr\ufffd');
  });
});
