import { describe, expect, it } from 'vitest';
import type { RequestId } from '../../../../jsonrpc/message.ts';
import type { Exchange, RunningCall } from '../../../../server/exchange.ts';
import { engineOf } from '../../../../server/server-handle.ts';
import { testServer } from '../fixtures/server.ts';
import { LiveSession, type SessionNews } from './live-session.ts';

/** Two requests that run, of which one waits for others, and why they were cancelled or what they were answered with. */
function running(ended: unknown[]): Exchange {
  const call = (id: RequestId, waits: boolean): [RequestId, RunningCall] => [
    id,
    {
      standing: false,
      waits,
      cancel: (reason) => void ended.push([id, reason]),
      close: () => {},
      settle: (response) => void ended.push(response),
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

describe('what goes on in a session', () => {
  it('is cancelled by its id, as long as it is followed', () => {
    const live = liveSession();
    const cancelled: unknown[] = [];
    const leave = live.follow(running(cancelled));
    live.hear({ kind: 'cancel', id: 1, reason: 'enough' });
    live.hear({ kind: 'cancel', id: 'unknown' });
    expect(cancelled).toEqual([[1, 'enough']]);
    leave();
    live.hear({ kind: 'cancel', id: 1 });
    live.hear({ kind: 'ended' });
    expect(cancelled).toHaveLength(1);
  });

  it('ends with it: requests are answered and told to stop, and questions are given up', async () => {
    const live = liveSession();
    const ended: unknown[] = [];
    live.follow(running(ended));
    const asked = live.pending.ask('roots/list', undefined, () => {});
    live.hear({ kind: 'changed' });
    expect(ended).toEqual([]);
    live.hear({ kind: 'ended' });
    expect(ended).toEqual([...answered(1), ...answered('two')]);
    await expect(asked).rejects.toThrow(message);
  });

  it('goes on where the session is lost, but for what would wait for ever', async () => {
    const live = liveSession();
    const ended: unknown[] = [];
    live.follow(running(ended));
    const asked = live.pending.ask('roots/list', undefined, () => {});
    live.hear({ kind: 'ended', lost: true });
    expect(ended).toEqual(answered('two'));
    await expect(asked).rejects.toThrow(message);
  });

  it('takes answers, also where nothing was asked', async () => {
    const live = liveSession();
    live.hear({ kind: 'answer', response: { jsonrpc: '2.0', id: 'x', result: {} } });
    const ids: (string | number | undefined)[] = [];
    const ask = (): Promise<unknown> =>
      live.pending.ask('roots/list', undefined, (message) => void ids.push('id' in message ? message.id : undefined));
    const asked = ask();
    live.hear({ kind: 'answer', response: { jsonrpc: '2.0', id: ids[0] as string, result: { roots: [] } } });
    expect(await asked).toEqual({ roots: [] });
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}-/);
  });

  it('is told to who wants to hear it, until they do not', () => {
    const live = liveSession();
    const heard: SessionNews[] = [];
    const ignore = live.onNews((news) => void heard.push(news));
    live.hear({ kind: 'changed' });
    live.hear({ kind: 'ended' });
    ignore();
    live.hear({ kind: 'changed' });
    expect(heard).toEqual([{ kind: 'changed' }, { kind: 'ended' }]);
  });
});
