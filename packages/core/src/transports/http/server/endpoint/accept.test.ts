import { describe, expect, it } from 'vitest';
import { parseAccept } from './context.ts';

const both = { json: true, events: true };

describe('parseAccept', () => {
  it.each([
    [undefined, both],
    ['application/json, text/event-stream', both],
    ['*/*', both],
    ['application/json', { json: true, events: false }],
    ['text/event-stream;q=0.9', { json: false, events: true }],
    ['text/*', { json: false, events: true }],
    ['application/json ; q=0 , text/event-stream', { json: false, events: true }],
    ['application/json;q=0.000,text/event-stream;q=0', { json: false, events: false }],
    ['application/json;q=0.001', { json: true, events: false }],
    ['', { json: false, events: false }],
  ])('reads %j', (header, expected) => {
    expect(parseAccept(header)).toEqual(expected);
    // From memory, too.
    expect(parseAccept(header)).toEqual(expected);
  });

  it('honours valid weights only', () => {
    expect(parseAccept('application/json;x=q=0')).toEqual({ json: true, events: false });
    expect(parseAccept('application/json;level=1;Q=0')).toEqual({ json: false, events: false });
    expect(parseAccept('application/json;q=0x')).toEqual({ json: true, events: false });
  });

  it('bounds its cache', () => {
    for (let each = 0; each < 1000; each++) parseAccept(`text/x-${each}`);
    expect(parseAccept('application/json, text/x')).toEqual({ json: true, events: false });
  });
});
