import { describe, expect, it } from 'vitest';
import type { RequestId } from '../../../../jsonrpc/message.ts';
import type { Peer, RunningCall } from '../../../../server/peer.ts';
import { engineOf } from '../../../../server/server-handle.ts';
import { testServer } from '../fixtures/server.ts';
import { LiveSession, type SessionEvent } from './session-hub.ts';

/** Two running requests, one of which waits for others; records how they ended. */
function running(ended: unknown[]): Peer {
  const call = (id: RequestId, waits: boolean): [RequestId, RunningCall] => [
    id,
    {
      longLived: false,
      waits,
      cancel: (reason) => void ended.push([id, reason]),
      close: () => {},
      complete: (response) => void ended.push(response),
      stop: (reason) => void ended.push([id, (reason as Error).message]),
    },
  ];
  return { running: new Map([call(1, false), call('two', true)]), send: () => {} };
}

function liveSession(): LiveSession {
  return new LiveSession(engineOf(testServer().server));
}

const message = 'The session was ended before the request was done: begin a new one with "initialize"';
const answered = (id: RequestId): unknown[] => [
  { jsonrpc: '2.0', id, error: { code: -32603, message } },
  [id, message],
];

describe('a live session', () => {
  it('cancels requests by id while they are followed', () => {
    const live = liveSession();
    const cancelled: unknown[] = [];
    const leave = live.follow(running(cancelled));
    live.handle({ kind: 'cancel', id: 1, reason: 'enough' });
    live.handle({ kind: 'cancel', id: 'unknown' });
    expect(cancelled).toEqual([[1, 'enough']]);
    leave();
    live.handle({ kind: 'cancel', id: 1 });
    live.handle({ kind: 'ended' });
    expect(cancelled).toHaveLength(1);
  });

  it('answers and aborts its requests and rejects questions when it ends', async () => {
    const live = liveSession();
    const ended: unknown[] = [];
    live.follow(running(ended));
    const asked = live.pending.ask('roots/list', undefined, () => {});
    live.handle({ kind: 'changed' });
    expect(ended).toEqual([]);
    live.handle({ kind: 'ended' });
    expect(ended).toEqual([...answered(1), ...answered('two')]);
    await expect(asked).rejects.toThrow(message);
  });

  it('ends only waiting requests if the store lost it', async () => {
    const live = liveSession();
    const ended: unknown[] = [];
    live.follow(running(ended));
    const asked = live.pending.ask('roots/list', undefined, () => {});
    live.handle({ kind: 'ended', lost: true });
    expect(ended).toEqual(answered('two'));
    await expect(asked).rejects.toThrow(message);
  });

  it('accepts answers, also without a question', async () => {
    const live = liveSession();
    live.handle({ kind: 'answer', response: { jsonrpc: '2.0', id: 'x', result: {} } });
    const ids: (string | number | undefined)[] = [];
    const ask = (): Promise<unknown> =>
      live.pending.ask('roots/list', undefined, (message) => void ids.push('id' in message ? message.id : undefined));
    const asked = ask();
    live.handle({ kind: 'answer', response: { jsonrpc: '2.0', id: ids[0] as string, result: { roots: [] } } });
    expect(await asked).toEqual({ roots: [] });
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}-/);
  });

  it('notifies listeners until they are removed', () => {
    const live = liveSession();
    const received: SessionEvent[] = [];
    const ignore = live.onEvent((event) => void received.push(event));
    live.handle({ kind: 'changed' });
    live.handle({ kind: 'ended' });
    ignore();
    live.handle({ kind: 'changed' });
    expect(received).toEqual([{ kind: 'changed' }, { kind: 'ended' }]);
  });
});
