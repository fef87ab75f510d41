import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { AuthError, ConnectionError, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { describe, expect, it } from 'vitest';
import { failureOf } from './explain.ts';
import { exitCodes, Failure } from './failure.ts';

describe('an error', () => {
  it.each([
    [new Failure('unknown-name', 'x'), 'unknown-name'],
    [new TimeoutError('late'), 'timeout'],
    [new ProtocolError(ErrorCode.InvalidParams, 'no'), 'refused'],
    [new ResultError('odd'), 'refused'],
    [new HttpError(401, 'who?'), 'unauthorized'],
    [new HttpError(403, 'no'), 'unauthorized'],
    [new HttpError(404, 'where?'), 'unreachable'],
    [new ConnectionError('gone'), 'unreachable'],
    [new AuthError('refused', 'no'), 'unauthorized'],
    [new Error('anything'), 'unexpected'],
    ['a text', 'unexpected'],
  ])('%s is told as %s', (error, kind) => {
    const failure = failureOf(error);
    expect(failure.kind).toBe(kind);
    expect(failure.exitCode).toBe(exitCodes[failure.kind].code);
  });

  it('says why, where it knows', () => {
    const cause = new Error('getaddrinfo ENOTFOUND nowhere');
    expect(failureOf(new ConnectionError('No connection', { cause })).message).toBe(
      'No connection: getaddrinfo ENOTFOUND nowhere',
    );
  });

  it('names the code of the network once', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const error = new ConnectionError('No connection to http://127.0.0.1:1/mcp: ECONNREFUSED', { cause });
    expect(failureOf(error).message).toBe('No connection to http://127.0.0.1:1/mcp: connect ECONNREFUSED 127.0.0.1:1');
    expect(failureOf(cause)).toMatchObject({
      kind: 'unreachable',
      message: 'No connection: connect ECONNREFUSED 127.0.0.1:1',
      hint: expect.stringContaining('Is the server running'),
    });
  });

  it.each([
    ['ECONNREFUSED', /Is the server running/],
    ['ENOTFOUND', /Check the spelling/],
    ['ECONNRESET', /ccmcp probe/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /TLS/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /http:\/\//],
  ])('says what to do where the network failed: %s', (code, hint) => {
    const cause = Object.assign(new Error('x'), { code });
    expect(failureOf(new ConnectionError('No connection', { cause })).hint).toMatch(hint);
  });

  it.each([undefined, new Error('x'), 'toString', { code: 'toString' }])(
    'has no advice where it knows none: %s',
    (cause) => {
      expect(failureOf(new ConnectionError('No connection', { cause })).hint).toBeUndefined();
    },
  );

  it('keeps what a server said about it', () => {
    const { message, data } = failureOf(new ProtocolError(-32_000, 'No', { more: 1 }));
    expect(message).toBe('The server answered: No (-32000)');
    expect(data).toEqual({ code: -32_000, data: { more: 1 } });
  });

  it('says what to do where a person or a model is asked and nobody is there', () => {
    const wanted = (requiredCapabilities: object) => new ProtocolError(-32_021, 'No', { requiredCapabilities });
    expect(failureOf(wanted({ elicitation: { form: {} } })).hint).toContain('nobody is at a terminal');
    expect(failureOf(wanted({ sampling: {} })).hint).toContain('--sample-with COMMAND');
    expect(failureOf(wanted({ roots: {} })).hint).toBeUndefined();
  });

  it('is one JSON object, and one or two lines of text', () => {
    const failure = new Failure('usage', 'Wrong', { hint: 'Do this.', data: [1] });
    expect(JSON.parse(JSON.stringify(failure))).toEqual({
      error: { kind: 'usage', exitCode: 2, message: 'Wrong', hint: 'Do this.', data: [1] },
    });
    expect(failure.toText()).toBe('ccmcp: Wrong\nDo this.\n');
  });

  it('has an exit code of its own kind', () => {
    const codes = Object.values(exitCodes).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
