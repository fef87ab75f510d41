import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { AuthError, ConnectionError, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { describe, expect, it } from 'vitest';
import { toFailure, credentialsHint } from './to-failure.ts';
import { exitCodes, Failure } from '../../command/failure.ts';

describe('converting an error to a failure', () => {
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
  ])('converts %s to the kind %s', (error, kind) => {
    const failure = toFailure(error);
    expect(failure.kind).toBe(kind);
    expect(failure.exitCode).toBe(exitCodes[failure.kind].code);
  });

  it('includes a known cause', () => {
    const cause = new Error('getaddrinfo ENOTFOUND nowhere');
    expect(toFailure(new ConnectionError('No connection', { cause })).message).toBe(
      'No connection: getaddrinfo ENOTFOUND nowhere',
    );
  });

  it('names the code of a network error once', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const error = new ConnectionError('No connection to http://127.0.0.1:1/mcp: ECONNREFUSED', { cause });
    expect(toFailure(error).message).toBe('No connection to http://127.0.0.1:1/mcp: connect ECONNREFUSED 127.0.0.1:1');
    expect(toFailure(cause)).toMatchObject({
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
  ])('explains how to fix a network error: %s', (code, hint) => {
    const cause = Object.assign(new Error('x'), { code });
    expect(toFailure(new ConnectionError('No connection', { cause })).hint).toMatch(hint);
  });

  it.each([undefined, new Error('x'), 'toString', { code: 'toString' }])(
    'has no advice where it knows none: %s',
    (cause) => {
      expect(toFailure(new ConnectionError('No connection', { cause })).hint).toBeUndefined();
    },
  );

  it('includes the message of the server', () => {
    const { message, data } = toFailure(new ProtocolError(-32_000, 'No', { more: 1 }));
    expect(message).toBe('The server answered: No (-32000)');
    expect(data).toEqual({ code: -32_000, data: { more: 1 } });
  });

  it('adds a hint if a user or a model is required and missing', () => {
    const wanted = (requiredCapabilities: object) => new ProtocolError(-32_021, 'No', { requiredCapabilities });
    expect(toFailure(wanted({ elicitation: { form: {} } })).hint).toContain('there is no terminal');
    expect(toFailure(wanted({ sampling: {} })).hint).toContain('--sample-with COMMAND');
    expect(toFailure(wanted({ roots: {} })).hint).toBeUndefined();
  });

  it('results in one JSON object, or one or two lines of text', () => {
    const failure = new Failure('usage', 'Wrong', { hint: 'Do this.', data: [1] });
    expect(JSON.parse(JSON.stringify(failure))).toEqual({
      error: { kind: 'usage', exitCode: 2, message: 'Wrong', hint: 'Do this.', data: [1] },
    });
    expect(failure.toText()).toBe('ccmcp: wrong\nDo this.\n');
  });

  it('sets the exit code of the kind', () => {
    const codes = Object.values(exitCodes).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('the hint for a server that requires credentials', () => {
  it.each([
    ['Bearer realm="api"', '', "--header 'Authorization: Bearer TOKEN'"],
    ['DPoP algs="ES256"', '', "--header 'Authorization: Bearer TOKEN'"],
    ['Basic realm="x"', '', '--header "Authorization: Basic $(printf %s USER:PASSWORD | base64)"'],
    ['ApiKey header="X-Own-Key"', '', "--header 'X-Own-Key: KEY'"],
    ['Token', '', "--header 'Authorization: Token CREDENTIALS'"],
    ['', '{"error":"Missing X-Api-Token header"}', "--header 'X-Api-Token: KEY'"],
    ['', '', "--header 'Authorization: Bearer TOKEN' or --header 'X-Api-Key: KEY'"],
    ['ApiKey header="X\'; rm -rf ~; \'"', '', "--header 'Authorization: ApiKey CREDENTIALS'"],
  ])('names the header to give: %s %s', (challenge, said, header) => {
    expect(credentialsHint({ status: 401, challenge, said }).hint).toContain(header);
  });

  it('includes the message of the server', () => {
    const challenge = 'Bearer error="invalid_token", error_description="The token \\"x\\" expired"';
    expect(credentialsHint({ status: 401, challenge }).message).toBe(
      `The server wants credentials (401): The token "x" expired. WWW-Authenticate: ${challenge}`,
    );
    expect(credentialsHint({ status: 401, said: '{"error":{"message":"No key"}}' }).message).toBe(
      'The server wants credentials (401): No key',
    );
    expect(credentialsHint({ status: 401, said: '<h1>Who are you?</h1>' }).message).toBe(
      'The server wants credentials (401): Who are you?',
    );
    expect(credentialsHint({ status: 401 }).message).toBe('The server wants credentials (401)');
  });

  it('reports that the sent credentials were rejected', () => {
    const { message, hint } = credentialsHint(
      { status: 401, challenge: 'Bearer' },
      { sent: { Authorization: 'Bearer secret', Accept: 'x' } },
    );
    expect(message).toContain('rejects the Authorization that it was sent (401)');
    expect(hint).toMatch(/expired.*--header 'Authorization: Bearer TOKEN'/);
    expect(message + hint).not.toContain('secret');
  });

  it('suggests to sign in if that is possible and was not tried yet', () => {
    const rejection = { status: 401, challenge: 'Bearer resource_metadata="https://example.com/x"' };
    expect(credentialsHint(rejection).hint).toMatch(/OAuth.*ccmcp login URL/);
    expect(credentialsHint(rejection, { isAttended: true }).hint).not.toContain('terminal');
  });

  it('explains a 403 with the missing scope', () => {
    const rejected = credentialsHint({ status: 403, said: 'Host not allowed' });
    expect(rejected.message).toBe('The server rejects the caller (403): Host not allowed');
    expect(rejected.hint).toContain('host name or origin');
    const challenge = 'Bearer error="insufficient_scope", scope="files:write"';
    expect(credentialsHint({ status: 403, challenge }).hint).toContain('scope files:write');
  });
});
