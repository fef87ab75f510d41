import { describe, expect, it } from 'vitest';
import { brief, ErrorCode, invalidParams, ProtocolError } from './errors.ts';

describe('a protocol error', () => {
  it('is sent with its code, message and data, and keeps its cause to itself', () => {
    const error = new ProtocolError(4001, 'Not now', { until: 'noon' }, { cause: new Error('secret') });
    expect(error.toBody()).toEqual({ code: 4001, message: 'Not now', data: { until: 'noon' } });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('ProtocolError');
    expect((error.cause as Error).message).toBe('secret');
  });

  it('has no member for data that it does not have', () => {
    expect(Object.keys(new ProtocolError(1, 'x').toBody())).toEqual(['code', 'message']);
  });

  it.each([[null], [0], [false], ['']])('has data that is %j', (data) => {
    expect(new ProtocolError(1, 'x', data).toBody()).toEqual({ code: 1, message: 'x', data });
  });

  it('is most often about params', () => {
    expect(invalidParams('"a" is missing').toBody()).toEqual({ code: -32602, message: '"a" is missing' });
    expect(invalidParams('x', { a: 1 }).toBody()).toEqual({ code: -32602, message: 'x', data: { a: 1 } });
  });
});

it('codes are those of JSON-RPC and of the protocol', () => {
  expect(ErrorCode).toEqual({
    ParseError: -32700,
    InvalidRequest: -32600,
    MethodNotFound: -32601,
    InvalidParams: -32602,
    InternalError: -32603,
    NotInitialized: -32002,
    ResourceNotFound: -32002,
    HeaderMismatch: -32020,
    MissingClientCapability: -32021,
    UnsupportedVersion: -32022,
  });
});

it("a client's text is quoted in at most a line", () => {
  expect(brief('short')).toBe('short');
  expect(brief('x'.repeat(100))).toBe('x'.repeat(100));
  expect(brief('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
});
