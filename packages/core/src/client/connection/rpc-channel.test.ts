import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message, Request } from '../../jsonrpc/message.ts';
import { connect } from '../connect.ts';
import { ConnectionError } from '../errors.ts';
import { scripted } from '../fixtures/scripted.ts';
import type { Receiver, Transport } from '../transport.ts';

const handshake = { era: 'handshake' } as const;
const done = { content: [] };

const answerCalls = ({ method }: Request): object | undefined => (method === 'tools/call' ? done : undefined);

const isCall = (message: Message): boolean => 'method' in message && message.method === 'tools/call';
const isCancelled = (message: Message): boolean => 'method' in message && message.method === 'notifications/cancelled';

describe('a request without a response', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('times out, and is cancelled at the server', async () => {
    const { client, sent } = await scripted(() => undefined, handshake);
    const failed = client.callTool('x', {}, { timeoutMs: 500 }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(500);
    expect(await failed).toMatchObject({
      name: 'TimeoutError',
      message: 'No answer to "tools/call" within 500 ms',
    });
    const { id } = sent.find(isCall) as Request;
    expect(sent.find(isCancelled)).toMatchObject({ params: { requestId: id } });
  });

  it('extends its timeout with every progress, up to the maximum', async () => {
    const { client, sent, say } = await scripted(() => undefined, handshake);
    let failed: Error | undefined;
    const call = client.callTool('x', {}, { timeoutMs: 500, maxTimeoutMs: 1500 }).catch((error: Error) => {
      failed = error;
    });
    const { _meta } = (sent.find(isCall) as Request).params as unknown as { _meta: { progressToken: number } };
    for (let progress = 1; progress <= 3; progress += 1) {
      await vi.advanceTimersByTimeAsync(400);
      expect(failed).toBeUndefined();
      say({ jsonrpc: '2.0', method: 'notifications/progress', params: { ..._meta, progress } });
    }
    await vi.advanceTimersByTimeAsync(299);
    expect(failed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(failed).toMatchObject({ name: 'TimeoutError' });
  });

  it('does not time out while a question of the server is answered', async () => {
    let decide = (): void => {};
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const { client, sent, say } = await scripted(() => undefined, {
      ...handshake,
      timeoutMs: 500,
      elicit: async () => {
        await decided;
        return { action: 'decline' };
      },
    });
    const call = client.callTool('x');
    const { id } = sent.find(isCall) as Request;
    const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
    say({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params });
    await vi.advanceTimersByTimeAsync(5000);
    decide();
    await vi.advanceTimersByTimeAsync(100);
    say({ jsonrpc: '2.0', id, result: done });
    expect(await call).toMatchObject(done);
  });

  it('ignores a late response (C-B-02)', async () => {
    const { client, sent, say, warnings } = await scripted(() => undefined, handshake);
    const call = client.callTool('x', {}, { timeoutMs: 10 }).catch(() => {});
    await vi.advanceTimersByTimeAsync(10);
    await call;
    say({ jsonrpc: '2.0', id: (sent.find(isCall) as Request).id, result: done });
    expect(warnings).toEqual([]);
  });

  it('is not cancelled if it is initialize (C-V-03)', async () => {
    const sent: Message[] = [];
    const transport: Transport = {
      streamPerRequest: false,
      start: async () => {},
      send: (message) => void sent.push(message),
      close: async () => {},
    };
    const failed = connect(transport, { ...handshake, timeoutMs: 50 }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(50);
    expect(await failed).toMatchObject({ name: 'TimeoutError' });
    expect(sent).toMatchObject([{ method: 'initialize' }]);
  });

  it('that could not be serialized rejects at once', async () => {
    const sent: string[] = [];
    let receiver: Receiver | undefined;
    const result = { protocolVersion: '2025-11-25', capabilities: {} };
    const transport: Transport = {
      streamPerRequest: false,
      start: async (by) => {
        receiver = by;
      },
      send(message) {
        sent.push(JSON.stringify(message));
        if ('id' in message) receiver?.receive({ jsonrpc: '2.0', id: message.id ?? 0, result });
        return undefined;
      },
      close: async () => {},
    };
    const client = await connect(transport, handshake);
    const before = sent.length;
    await expect(client.callTool('x', { number: 1n })).rejects.toThrow('BigInt');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(sent.slice(before)).toEqual([]);
  });
});

describe('a caller of the channel', () => {
  it('that aborts before sending sends nothing', async () => {
    const { client, sent } = await scripted(answerCalls, handshake);
    await expect(client.callTool('x', {}, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(sent.some(isCall)).toBe(false);
  });

  it('gets a rejection when the connection ends, and for later requests', async () => {
    const { client, end } = await scripted(() => undefined, handshake);
    const call = client.callTool('x');
    end(new ConnectionError('gone'));
    await expect(call).rejects.toThrow('gone');
    await expect(client.callTool('x')).rejects.toThrow('gone');
    await client.close();
    await expect(client.callTool('x')).rejects.toThrow('gone');
  });

  it('gets valid progress until the response', async () => {
    const received: unknown[] = [];
    const { client, sent, say } = await scripted(() => undefined, handshake);
    const call = client.callTool('x', {}, { onProgress: (progress) => received.push(progress) });
    const { id } = sent.find(isCall) as Request;
    const progress = (params: object): void =>
      say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, ...params } });
    progress({ progress: 1, total: 2, message: 'half' });
    progress({ progress: 2, total: '2', message: 7 });
    progress({ progress: 'far' });
    progress({ progress: 3, progressToken: 'other' });
    progress({ progress: 3, progressToken: {} });
    say({ jsonrpc: '2.0', id, result: done });
    await call;
    progress({ progress: 3 });
    expect(received).toEqual([{ progress: 1, total: 2, message: 'half' }, { progress: 2 }]);
  });

  it('gets warnings for errors without a request, not for late or unknown responses', async () => {
    const { say, warnings } = await scripted(() => undefined, handshake);
    say({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Not JSON' } });
    say({ jsonrpc: '2.0', id: 99, error: { code: -32603, message: 'Late' } });
    expect(warnings).toEqual(['The server reports an error: Not JSON']);
  });

  it('has its abort listener removed with the response', async () => {
    const controller = new AbortController();
    const { client, sent } = await scripted(answerCalls, handshake);
    await client.callTool('x', {}, { signal: controller.signal });
    controller.abort();
    expect(sent.some(isCancelled)).toBe(false);
  });

  it('gets errors of the server with code and data', async () => {
    const error = { code: -32050, message: 'No', data: { why: 'because' } };
    const { client } = await scripted(({ method }) => (method === 'tools/call' ? { error } : undefined), handshake);
    await expect(client.callTool('x')).rejects.toMatchObject({ name: 'ProtocolError', ...error });
  });
});

describe('a question of the server', () => {
  const isAnswer = (message: Message): boolean => 'id' in message && message.id === 'q';

  it('that is "ping" is answered (S-PI-01)', async () => {
    const { say, waitForSent } = await scripted(() => undefined, handshake);
    say({ jsonrpc: '2.0', id: 'q', method: 'ping' });
    expect(await waitForSent(isAnswer)).toEqual({ jsonrpc: '2.0', id: 'q', result: {} });
  });

  it('that was not declared is rejected', async () => {
    const { say, waitForSent } = await scripted(() => undefined, handshake);
    say({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params: { messages: [] } });
    expect(await waitForSent(isAnswer)).toMatchObject({ error: { code: -32601 } });
  });

  it('whose handler throws is rejected without details, which become a warning', async () => {
    const { say, waitForSent, warnings } = await scripted(() => undefined, {
      ...handshake,
      roots: () => {
        throw new Error('password is hunter2');
      },
    });
    say({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
    expect(await waitForSent(isAnswer)).toEqual({
      jsonrpc: '2.0',
      id: 'q',
      error: { code: -32603, message: 'Internal error' },
    });
    expect(warnings).toEqual(['"roots/list" could not be answered: password is hunter2']);
  });

  it('can be cancelled: its handler is aborted, and nothing is sent', async () => {
    let stopped = (_: unknown): void => {};
    const reason = new Promise((resolve) => {
      stopped = resolve;
    });
    const { client, say, sent } = await scripted(answerCalls, {
      ...handshake,
      roots: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped(signal.reason);
            resolve([]);
          });
        }),
    });
    say({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q', reason: 'never mind' } });
    expect(await reason).toMatchObject({ message: 'never mind' });
    await client.callTool('x');
    expect(sent.some(isAnswer)).toBe(false);
  });

  it('that was cancelled may fail without a warning', async () => {
    let failed = (): void => {};
    const stopped = new Promise<void>((resolve) => {
      failed = resolve;
    });
    const { client, say, sent, warnings } = await scripted(answerCalls, {
      ...handshake,
      roots: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            failed();
            reject(new Error('given up'));
          });
        }),
    });
    say({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } });
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q' } });
    await stopped;
    await client.callTool('x');
    expect(warnings).toEqual([]);
    expect(sent.some(isAnswer)).toBe(false);
  });

  it('is ignored with a warning in an era without such requests (C-IO-01)', async () => {
    const { client, say, sent, warnings } = await scripted(({ method }) =>
      method === 'tools/call' ? { ...done, resultType: 'complete' } : undefined,
    );
    say({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
    await client.callTool('x');
    expect(sent.some(isAnswer)).toBe(false);
    expect(warnings).toEqual(['The server sent the request "roots/list", which its era does not allow']);
  });
});

describe('a flood of questions', () => {
  it('is rejected above a hundred at a time', async () => {
    let asked = 0;
    const elicit = (): Promise<never> => {
      asked += 1;
      return new Promise(() => {});
    };
    const { say, sent, waitForSent } = await scripted(() => undefined, { ...handshake, elicit });
    const params = { message: 'Who?', requestedSchema: {} };
    for (let index = 0; index < 150; index += 1) {
      say({ jsonrpc: '2.0', id: `q${index}`, method: 'elicitation/create', params });
    }
    await waitForSent((message) => 'id' in message && message.id === 'q149');
    expect(asked).toBe(100);
    const rejections = sent.filter((message) => 'error' in message);
    expect(rejections).toHaveLength(50);
    expect(rejections[0]).toMatchObject({
      id: 'q100',
      error: { message: 'Too many questions: at most 100 at a time' },
    });
  });

  it('is not answered faster than the server accepts answers', async () => {
    const answers: Message[] = [];
    let receiver: Receiver | undefined;
    const transport: Transport = {
      streamPerRequest: true,
      start: async (by) => {
        receiver = by;
      },
      send(message) {
        if ('method' in message) {
          const result = { protocolVersion: '2025-11-25', capabilities: {} };
          if ('id' in message) queueMicrotask(() => receiver?.receive({ jsonrpc: '2.0', id: message.id, result }));
          return Promise.resolve();
        }
        answers.push(message);
        return new Promise(() => {});
      },
      close: async () => {},
    };
    const warnings: string[] = [];
    const client = await connect(transport, { ...handshake, onWarning: (text) => warnings.push(text) });
    for (let id = 1; id <= 150; id += 1) receiver?.receive({ jsonrpc: '2.0', id, method: 'ping' });
    await vi.waitFor(() => expect(warnings).toHaveLength(50));
    expect(answers).toHaveLength(100);
    await client.close();
  });
});

describe('warnings', () => {
  it('are limited to a hundred', async () => {
    const { say, warnings } = await scripted(() => undefined, handshake);
    for (let index = 0; index < 1000; index += 1) {
      say({ jsonrpc: '2.0', id: null, error: { code: -32600, message: `wrong ${index}` } });
    }
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toBe('More warnings of this server are left out');
  });
});
