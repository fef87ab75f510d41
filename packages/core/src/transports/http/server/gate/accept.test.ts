import { describe, expect, it } from 'vitest';
import { acceptable, isJson } from './accept.ts';

const both = { json: true, events: true };

describe('acceptable', () => {
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
    expect(acceptable(header)).toEqual(expected);
    // From memory, too.
    expect(acceptable(header)).toEqual(expected);
  });

  it('goes by the weight only where it is one', () => {
    expect(acceptable('application/json;x=q=0')).toEqual({ json: true, events: false });
    expect(acceptable('application/json;level=1;Q=0')).toEqual({ json: false, events: false });
    expect(acceptable('application/json;q=0x')).toEqual({ json: true, events: false });
  });

  it('remembers only so much', () => {
    for (let each = 0; each < 1000; each++) acceptable(`text/x-${each}`);
    expect(acceptable('application/json, text/x')).toEqual({ json: true, events: false });
  });
});

describe('isJson', () => {
  it('takes UTF-8 by both of its names, and no other character set', () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', '"utf8"'])
      expect(isJson(`application/json; charset=${charset}`)).toBe(true);
    for (const charset of ['utf-16', 'iso-8859-1', '', '"utf-8', 'utf-8x', 'xutf-8', 'utf-8;charset=latin1']) {
      expect(isJson(`application/json; charset=${charset}`)).toBe(false);
    }
    expect(isJson('application/json; charset*=charset=utf-8')).toBe(false);
    expect(isJson('application/json; x=charset')).toBe(true);
  });
});
