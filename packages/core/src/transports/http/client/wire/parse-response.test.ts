import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../jsonrpc/message.ts';
import { MethodTable } from '../../../../protocol/methods.ts';
import { makeResponse } from '../fixtures/made-response.ts';
import { toHttpError, parseMessages, readErrorResponse, deliverMessages } from './parse-response.ts';

const rejection = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No' } } as const;
const body = JSON.stringify(rejection);

describe('an error response', () => {
  it.each([400, 404, 422, 499])('with %i is its JSON-RPC error', async (status) => {
    expect(await readErrorResponse(makeResponse(status, {}, [body]))).toEqual(rejection);
  });

  it.each([401, 403, 500, 503, 302])('with %i is an HttpError, whatever its body', async (status) => {
    expect(await readErrorResponse(makeResponse(status, {}, [body]))).toMatchObject({ name: 'HttpError', status });
  });

  it('quotes the body, truncated', async () => {
    const long = await readErrorResponse(makeResponse(500, {}, [`  ${'x'.repeat(300)}`], 'Out of order'));
    expect(long).toMatchObject({ message: `The server answered 500 Out of order: ${'x'.repeat(200)}` });
    expect(await readErrorResponse(makeResponse(500))).toMatchObject({ message: 'The server answered 500' });
    expect(await readErrorResponse(makeResponse(500, {}, [' ']))).toMatchObject({ message: 'The server answered 500' });
    const answered = await readErrorResponse(
      makeResponse(400, {}, [JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })]),
    );
    expect(answered).toMatchObject({ name: 'HttpError', status: 400 });
  });

  it('is read up to a limit, and may be cut off', async () => {
    const most = 64 * 1024;
    expect(await readErrorResponse(makeResponse(500, {}, ['x'.repeat(most)]))).toMatchObject({
      message: expect.stringMatching(/: x+$/),
    });
    expect(await readErrorResponse(makeResponse(500, {}, ['x'.repeat(most + 1)]))).toMatchObject({
      message: 'The server answered 500',
    });
    expect(await readErrorResponse(makeResponse(500, {}, ['x', new Error('reset')]))).toMatchObject({ status: 500 });
  });

  it('for missing credentials says what to set', async () => {
    const message = 'The server wants credentials (401): give the transport "auth" or "headers"';
    const headers = { 'www-authenticate': 'Bearer realm="x"' };
    expect(await readErrorResponse(makeResponse(401, headers, [' why ']))).toMatchObject({
      status: 401,
      message,
      challenge: 'Bearer realm="x"',
      said: 'why',
    });
    expect(await readErrorResponse(makeResponse(403))).toMatchObject({
      status: 403,
      challenge: undefined,
      said: undefined,
    });
  });

  it('becomes an exception without a request to answer', async () => {
    expect(toHttpError(makeResponse(400), rejection)).toMatchObject({ name: 'HttpError', status: 400, message: 'No' });
    const error = await readErrorResponse(makeResponse(500));
    expect(toHttpError(makeResponse(500), error)).toBe(error);
  });
});

describe('the messages in a text', () => {
  it('are one or a batch; invalid ones become warnings', () => {
    const notice = { jsonrpc: '2.0', method: 'x' } as const;
    expect(parseMessages(JSON.stringify(notice))).toHaveLength(1);
    expect(parseMessages(JSON.stringify([notice, notice]))).toHaveLength(2);
    const received: Message[] = [];
    const warnings: string[] = [];
    deliverMessages(JSON.stringify([notice, 7]), {
      methods: new MethodTable(),
      receive: (message) => received.push(message),
      warn: (text) => warnings.push(text),
      sessionLost: () => {},
      closed: () => {},
    });
    expect(received).toEqual([notice]);
    expect(warnings).toEqual([expect.stringMatching(/^The server sent an invalid message: ./)]);
  });
});
