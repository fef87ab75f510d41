import { describe, expect, it } from 'vitest';
import { createServer, tool } from '../../../index.ts';
import type { Request } from '../../../jsonrpc/message.ts';
import { openClientConnection } from '../../../server/client-connection.ts';
import { call, request } from '../fixtures/messages.ts';
import { pendingCalls } from './connection.ts';
import { engineOf } from '../../../server/server-handle.ts';
import { provideServing } from '../../../features/load-serving.ts';
import { serving } from '../../../features/serving.ts';

// Loads the serving modules, so that calls run immediately.
provideServing(serving);

/** A connection with a running call and two long-lived ones. */
function open() {
  const stopped: unknown[] = [];
  const wait = tool('wait', {}, (_, { signal }) => {
    signal.addEventListener('abort', () => stopped.push(signal.reason));
    return new Promise<string>(() => {});
  });
  const server = createServer({ name: 'test', version: '1', tools: [wait] });
  const { peer } = openClientConnection({ send: () => {} });
  const serve = (message: object) => Promise.resolve(server.handle(message as Request, peer));
  const listen = (id: string) =>
    serve(request(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
  return {
    answers: { waiting: serve(call('wait', 'wait')), first: listen('first'), second: listen('second') },
    remaining: pendingCalls(engineOf(server), peer.running),
    running: () => [...peer.running.keys()],
    stopped,
    cancel: (requestId: string) => serve({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
  };
}

const cancelled = (requestId: string) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

describe('pending calls of a connection that ends', () => {
  it('end with their results if they are long-lived; the others continue (S-U-05)', async () => {
    const { answers, remaining, running, stopped } = open();
    remaining.closeLongLived();
    expect(await Promise.all([answers.first, answers.second])).toMatchObject([
      { id: 'first', result: {} },
      { id: 'second', result: {} },
    ]);
    expect([running(), stopped]).toEqual([['wait'], []]);
  });

  it('are cancelled once after their answer if they are long-lived', async () => {
    const { answers, remaining } = open();
    remaining.closeLongLived();
    const first = await answers.first;
    expect(remaining.followUp(first)).toEqual(cancelled('first'));
    expect(remaining.followUp(first)).toBeUndefined();
    expect(remaining.followUp({ jsonrpc: '2.0', id: 'wait', result: {} })).toBeUndefined();
    expect(remaining.followUp({ jsonrpc: '2.0', id: null, error: { code: 1, message: '' } })).toBeUndefined();
    expect(remaining.followUp([{ id: 'second', json: '{}' }])).toBeUndefined();
    expect(remaining.followUp(undefined)).toBeUndefined();
    expect(remaining.followUp(await answers.second)).toEqual(cancelled('second'));
  });

  it('are not cancelled if this side did not end them', async () => {
    const { remaining, cancel } = open();
    await cancel('first');
    remaining.closeLongLived();
    expect(remaining.followUp({ jsonrpc: '2.0', id: 'first', result: {} })).toBeUndefined();
    expect(remaining.followUp({ jsonrpc: '2.0', id: 'wait', result: {} })).toBeUndefined();
  });

  it('are rejected and aborted when they outlast the grace period', async () => {
    const { answers, remaining, running, stopped } = open();
    remaining.rejectAll();
    const message = 'The server was shut down before the request was done';
    expect(await answers.waiting).toEqual({ jsonrpc: '2.0', id: 'wait', error: { code: -32603, message } });
    expect(stopped).toEqual([expect.objectContaining({ message })]);
    expect(running()).toEqual(['first', 'second']);
  });
});
