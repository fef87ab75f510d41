import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { events, type MadeResponse, makeResponse } from './fixtures/made-response.ts';
import { type ResponseContext, readResponse } from './read-response.ts';

const answer = { jsonrpc: '2.0', id: 7, result: {} } as const;
const notice = { jsonrpc: '2.0', method: 'notifications/x' } as const;
const json = (...parts: (string | Error)[]): MadeResponse =>
  makeResponse(200, { 'content-type': 'Application/JSON; charset=utf-8' }, parts);
const event = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;

interface TokenBucketResult {
  answers: unknown[];
  received: unknown[];
  warnings: string[];
  controller: ResponseContext['controller'];
  error: Error | undefined;
}

async function take(response: MadeResponse, more: Partial<ResponseContext> = {}): Promise<TokenBucketResult> {
  const controller = more.controller ?? new AbortController();
  const taken: TokenBucketResult = { answers: [], received: [], warnings: [], controller, error: undefined };
  await readResponse(response, {
    request: { jsonrpc: '2.0', id: 7, method: 'tools/call' },
    url: new URL('http://a.example/mcp?key=secret'),
    maxMessage: 1000,
    controller,
    resume: undefined,
    onAnswer: (message) => taken.answers.push(message),
    onMessage: (message) => taken.received.push(message),
    warn: (text) => taken.warnings.push(text),
    ...more,
  }).catch((error: Error) => {
    taken.error = error;
  });
  return taken;
}

describe('the response to a request', () => {
  it('may be the JSON body, alone or in a batch', async () => {
    expect(await take(json(JSON.stringify(answer)))).toMatchObject({
      answers: [answer],
      received: [],
      error: undefined,
    });
    const several = await take(json(JSON.stringify([notice, answer, { jsonrpc: '2.0', id: 8, result: {} }])));
    expect(several).toMatchObject({ answers: [answer], received: [notice, { id: 8 }], error: undefined });
  });

  it('may be a JSON-RPC error', async () => {
    const rejection = { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Unknown' } };
    expect(await take(json(JSON.stringify(rejection)))).toMatchObject({ answers: [rejection], error: undefined });
  });

  it('may come on a stream, after other messages', async () => {
    const taken = await take(events(event(notice), event(answer), event(notice)));
    expect(taken).toMatchObject({ answers: [answer], received: [notice, notice], error: undefined });
  });

  it('throws if it is missing', async () => {
    for (const response of [json(JSON.stringify(notice)), json('{}')]) {
      const { error, answers } = await take(response);
      expect(answers).toEqual([]);
      expect(error).toMatchObject({
        name: 'ConnectionError',
        message: 'There was no answer in the response of http://a.example/mcp',
      });
    }
    const { error } = await take(events(event(notice)));
    expect(error?.message).toBe('The stream ended before the answer came');
  });

  it('may be missing after an abort', async () => {
    const controller = new AbortController();
    controller.abort();
    expect((await take(json(JSON.stringify(notice)), { controller })).error).toBeUndefined();
    expect((await take(events(event(notice)), { controller })).error).toBeUndefined();
  });

  it('that is invalid causes a warning', async () => {
    const { warnings } = await take(events('data: {}\n\n', event(answer)));
    expect(warnings).toEqual([expect.stringMatching(/^The server sent an invalid message: ./)]);
  });

  it('is limited in length', async () => {
    const text = JSON.stringify(answer);
    expect((await take(json(text), { maxMessage: text.length })).error).toBeUndefined();
    expect((await take(json(text), { maxMessage: text.length - 1 })).error?.message).toBe(
      `The answer is longer than ${text.length - 1} bytes`,
    );
  });

  it('that is cut off is a connection error without secrets', async () => {
    const { error } = await take(json('{', new Error('socket hang up')));
    expect(error).toMatchObject({
      name: 'ConnectionError',
      message: 'No connection to http://a.example/mcp: socket hang up',
    });
  });

  it('must have a supported content type', async () => {
    const response = makeResponse(202, { 'content-type': 'text/html' }, ['<html>']);
    expect((await take(response)).error).toMatchObject({
      name: 'HttpError',
      status: 202,
      message: 'The server answered 202 with "text/html" instead of a message',
    });
    expect(response.discarded).toBe(true);
  });

  it('is read from a resumed stream', async () => {
    const asked: unknown[] = [];
    const resume = async (lastEventId: string | undefined): Promise<MadeResponse> => {
      asked.push(lastEventId);
      return events(event(answer));
    };
    const taken = await take(events('id: e1\nretry: 1\ndata:\n\n'), { resume });
    expect([taken.answers, taken.error, asked]).toEqual([[answer], undefined, ['e1']]);
  });
});

describe('a stream that stays open after the response', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is closed after a second', async () => {
    const controller = new AbortController();
    const open = { ...events(), body: endless() };
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(event(answer));
      await new Promise((_, reject) => controller.signal.addEventListener('abort', () => reject(new Error('left'))));
    }
    const taking = take(open, { controller });
    await vi.advanceTimersByTimeAsync(999);
    expect(controller.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await taking).toMatchObject({ answers: [answer], error: undefined });
  });

  it('is not closed before the response', async () => {
    const controller = new AbortController();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(event(notice));
      await new Promise((resolve) => setTimeout(resolve, 5000));
      yield new TextEncoder().encode(event(answer));
    }
    const taking = take({ ...events(), body: slow() }, { controller });
    await vi.advanceTimersByTimeAsync(4999);
    expect(controller.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await taking).toMatchObject({ answers: [answer], received: [notice], error: undefined });
  });

  it('that ended by itself is not aborted afterwards', async () => {
    const { controller } = await take(events(event(answer)));
    await vi.advanceTimersByTimeAsync(2000);
    expect(controller.signal.aborted).toBe(false);
  });
});
