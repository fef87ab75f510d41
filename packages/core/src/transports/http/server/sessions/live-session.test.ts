import { describe, expect, it } from 'vitest';
import type { RequestId } from '../../../../jsonrpc/message.ts';
import type { Exchange, RunningCall } from '../../../../server/exchange.ts';
import { LiveSession, type SessionNews } from './live-session.ts';

/** Two requests that run, and why they were cancelled. */
function running(cancelled: unknown[]): Exchange {
  const call = (id: RequestId): [RequestId, RunningCall] => [
    id,
    {
      standing: false,
      cancel: (reason) => void cancelled.push([id, reason]),
      close: () => {},
      settle: () => {},
      stop: () => {},
    },
  ];
  return { running: new Map([call(1), call('two')]), send: () => {} };
}

describe('what goes on in a session', () => {
  it('is cancelled by its id, as long as it is followed', () => {
    const live = new LiveSession();
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

  it('ends with it: requests and questions', async () => {
    const live = new LiveSession();
    const cancelled: unknown[] = [];
    live.follow(running(cancelled));
    const asked = live.pending.ask('roots/list', undefined, () => {});
    live.hear({ kind: 'changed' });
    expect(cancelled).toEqual([]);
    live.hear({ kind: 'ended' });
    expect(cancelled).toEqual([
      [1, 'The session was ended'],
      ['two', 'The session was ended'],
    ]);
    await expect(asked).rejects.toThrow('The session was ended');
  });

  it('takes answers, also where nothing was asked', async () => {
    const live = new LiveSession();
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
    const live = new LiveSession();
    const heard: SessionNews[] = [];
    const ignore = live.onNews((news) => void heard.push(news));
    live.hear({ kind: 'changed' });
    live.hear({ kind: 'ended' });
    ignore();
    live.hear({ kind: 'changed' });
    expect(heard).toEqual([{ kind: 'changed' }, { kind: 'ended' }]);
  });
});
