import { describe, expect, it } from 'vitest';
import { ProtocolError } from './errors.ts';
import type { Notification, Request } from './message.ts';
import { Pending } from './pending.ts';

function asker(options?: ConstructorParameters<typeof Pending>[0]): {
  pending: Pending;
  sent: (Request | Notification)[];
  ask(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>>;
} {
  const pending = new Pending(options);
  const sent: (Request | Notification)[] = [];
  return {
    pending,
    sent,
    ask: (method, params, signal) => pending.ask(method, params, (message) => sent.push(message), signal),
  };
}

describe('pending requests', () => {
  it('have ids that are never reused (S-B-05)', async () => {
    const { pending, sent, ask } = asker();
    const first = ask('a', { x: 1 });
    pending.settle({ jsonrpc: '2.0', id: 1, result: {} });
    await first;
    void ask('b');
    expect(sent).toStrictEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'b' },
    ]);
  });

  it('have string ids if there is a prefix', async () => {
    const { pending, sent, ask } = asker({ prefix: 's-' });
    const answer = ask('a');
    expect(sent).toMatchObject([{ id: 's-1' }]);
    pending.settle({ jsonrpc: '2.0', id: 's-1', result: { ok: true } });
    expect(await answer).toEqual({ ok: true });
  });

  it('are resolved by their own responses, in any order', async () => {
    const { pending, ask } = asker();
    const [first, second] = [ask('a'), ask('b')];
    expect(pending.size).toBe(2);
    pending.settle({ jsonrpc: '2.0', id: 2, result: { n: 2 } });
    pending.settle({ jsonrpc: '2.0', id: 1, result: { n: 1 } });
    expect(await Promise.all([first, second])).toEqual([{ n: 1 }, { n: 2 }]);
    expect(pending.size).toBe(0);
  });

  it('reject with the error of their response', async () => {
    const { pending, ask } = asker();
    const answer = ask('a');
    pending.settle({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'User rejected', data: { a: 1 } } });
    const error = (await answer.catch((reason: unknown) => reason)) as ProtocolError;
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error.toBody()).toEqual({ code: -1, message: 'User rejected', data: { a: 1 } });
    expect(pending.size).toBe(0);
  });

  it('ignore late, duplicate and unknown responses, and ids of another type', async () => {
    const { pending, ask } = asker();
    const answer = ask('a');
    for (const id of ['1', 7, null]) pending.settle({ jsonrpc: '2.0', id, error: { code: 1, message: 'No' } });
    expect(pending.size).toBe(1);
    pending.settle({ jsonrpc: '2.0', id: 1, result: { first: true } });
    pending.settle({ jsonrpc: '2.0', id: 1, result: { first: false } });
    expect(await answer).toEqual({ first: true });
  });

  it('are cancelled when their signal aborts', async () => {
    const { pending, sent, ask } = asker();
    const controller = new AbortController();
    const answer = ask('a', undefined, controller.signal);
    controller.abort(new Error('changed my mind'));
    await expect(answer).rejects.toThrow('changed my mind');
    expect(sent[1]).toEqual({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(pending.size).toBe(0);
    pending.settle({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('are not sent if their signal is already aborted', async () => {
    const { pending, sent, ask } = asker();
    await expect(ask('a', undefined, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(sent).toEqual([]);
    expect(pending.size).toBe(0);
  });

  it('are not cancelled after they were answered', async () => {
    const { pending, sent, ask } = asker();
    const controller = new AbortController();
    const answer = ask('a', undefined, controller.signal);
    pending.settle({ jsonrpc: '2.0', id: 1, result: {} });
    await answer;
    controller.abort();
    expect(sent).toHaveLength(1);
  });

  it('are rejected together, without a message to the other side', async () => {
    const { pending, sent, ask } = asker();
    const controller = new AbortController();
    const answers = [ask('a'), ask('b', undefined, controller.signal)];
    pending.end(new Error('gone'));
    for (const answer of answers) await expect(answer).rejects.toThrow('gone');
    controller.abort();
    expect(pending.size).toBe(0);
    expect(sent).toHaveLength(2);
  });
});
