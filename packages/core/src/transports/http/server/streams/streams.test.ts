import { MethodTable } from '../../../../protocol/methods.ts';
import { describe, expect, it, vi } from 'vitest';
import { unlimited, Usage } from '../../../../features/quotas/quota.ts';
import type { EventSink, HttpResponder } from '../bindings/binding.ts';
import { Stream, Streams, deliveryPolicyOf } from './streams.ts';

const MB = 1024 * 1024;

interface TestSink extends EventSink {
  written: string[];
  unsent: number;
  full: boolean;
  state: 'open' | 'ended' | 'cut';
  drain(): void;
}

function sink(): TestSink {
  let drained: () => void = () => {};
  return {
    written: [],
    unsent: 0,
    full: false,
    state: 'open',
    write(text) {
      this.written.push(text);
    },
    end() {
      this.state = 'ended';
    },
    cut() {
      this.state = 'cut';
    },
    onDrain(listener) {
      drained = listener;
    },
    drain() {
      this.unsent = 0;
      drained();
    },
  };
}

const changed = { data: 'changed', weight: 'mergeable' } as const;

describe('a stream with a slow reader', () => {
  it('sends everything while the reader keeps up', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    stream.send({ data: '1', weight: 'needed', id: 'i' });
    stream.send({ data: '2', weight: 'droppable' });
    stream.send(changed);
    stream.send(changed);
    expect(to.written).toEqual(['id: i\ndata: 1\n\n', 'data: 2\n\n', 'data: changed\n\n', 'data: changed\n\n']);
  });

  it('queues mergeable events once, and drops droppable ones (RX-09)', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    to.unsent = MB;
    expect(stream.backpressured).toBe(true);
    for (let each = 0; each < 1000; each++) {
      stream.send({ ...changed, id: `c${each}` });
      stream.send({ data: 'other', weight: 'mergeable', id: `o${each}` });
      stream.send({ data: 'progress', weight: 'droppable' });
    }
    expect(to.written).toEqual([]);
    to.drain();
    expect(to.written).toEqual(['id: c999\ndata: changed\n\n', 'id: o999\ndata: other\n\n']);
    stream.send(changed);
    expect(to.written).toHaveLength(3);
  });

  it('sends the latest of equal events, so that ids stay in order', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    to.unsent = MB;
    stream.send({ ...changed, id: '1' });
    stream.send({ data: 'other', weight: 'mergeable', id: '2' });
    stream.send({ ...changed, id: '3' });
    to.drain();
    expect(to.written).toEqual(['id: 2\ndata: other\n\n', 'id: 3\ndata: changed\n\n']);
  });

  it('sends needed events at once, after queued ones', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    to.unsent = MB;
    stream.send(changed);
    stream.send({ data: 'result', weight: 'needed' });
    expect(to.written).toEqual(['data: changed\n\n', 'data: result\n\n']);
  });

  it('sends nothing before queued events', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    to.unsent = MB;
    stream.send(changed);
    to.unsent = 0;
    stream.send({ data: 'other', weight: 'mergeable' });
    stream.send({ data: 'progress', weight: 'droppable' });
    expect(to.written).toEqual([]);
    to.drain();
    expect(to.written).toEqual(['data: changed\n\n', 'data: other\n\n']);
  });

  it('is backpressured from 256 KiB on, and closed above 8 MiB', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    to.unsent = 256 * 1024;
    expect(stream.backpressured).toBe(false);
    to.unsent += 1;
    expect(stream.backpressured).toBe(true);
    to.unsent = 8 * MB;
    stream.write('x');
    expect([to.written, to.state]).toEqual([['x'], 'open']);
    to.unsent += 1;
    stream.write('y');
    expect([to.written, to.state, stream.backpressured]).toEqual([['x'], 'cut', false]);
  });

  it('sends queued events before the end', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    to.unsent = MB;
    stream.send(changed);
    stream.end();
    expect([to.written, to.state]).toEqual([['data: changed\n\n'], 'ended']);
  });

  it('is closed at the limit, but never because of one long message (HT-52)', () => {
    const to = sink();
    let closed = 0;
    const stream = new Stream(to, () => closed++);
    stream.send({ data: 'x'.repeat(20 * MB), weight: 'needed' });
    to.unsent = 20 * MB;
    expect(stream.open).toBe(true);
    stream.send({ data: 'more', weight: 'needed' });
    expect([to.state, stream.open, closed]).toEqual(['cut', false, 1]);
    stream.send({ data: 'even more', weight: 'needed' });
    stream.end();
    expect([to.written.length, to.state, closed]).toEqual([1, 'cut', 1]);
  });

  it('is closed if too much is queued (RX-09)', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    to.unsent = MB;
    for (let each = 0; each < 9; each++) stream.send({ data: `${each}`.padEnd(100 * 1024), weight: 'mergeable' });
    for (let each = 0; each < 9; each++) stream.send({ data: `${each}`.padEnd(100 * 1024), weight: 'mergeable' });
    expect(stream.open).toBe(true);
    for (let each = 9; each < 12; each++) stream.send({ data: `${each}`.padEnd(100 * 1024), weight: 'mergeable' });
    expect([stream.open, to.state]).toEqual([false, 'cut']);
  });

  it('is closed if all streams together queue too much', () => {
    const all = { length: 0 };
    const streams = Array.from({ length: 20 }, () => {
      const to = sink();
      to.unsent = MB;
      return new Stream(to, () => {}, all);
    });
    for (const stream of streams) stream.send({ data: 'x'.repeat(MB), weight: 'mergeable' });
    expect(streams.filter(({ open }) => open)).toHaveLength(8);
    expect(all.length).toBe(8 * MB);
    streams[0]?.onClose();
    streams[1]?.end();
    expect(all.length).toBe(6 * MB);
  });

  it('is closed by a long text under global backpressure, but gets short ones', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    to.full = true;
    stream.send({ data: 'short', weight: 'needed' });
    expect(to.written).toHaveLength(1);
    stream.send({ data: 'x'.repeat(20_000), weight: 'needed' });
    expect([to.written.length, to.state, stream.open]).toEqual([1, 'cut', false]);
  });

  it('weighs messages as needed, mergeable or droppable', () => {
    const notification = (method: string): string => deliveryPolicyOf({ jsonrpc: '2.0', method }, new MethodTable());
    expect(notification('notifications/progress')).toBe('droppable');
    expect(notification('notifications/message')).toBe('droppable');
    expect(notification('notifications/tools/list_changed')).toBe('mergeable');
    expect(deliveryPolicyOf({ jsonrpc: '2.0', id: 1, method: 'roots/list' }, new MethodTable())).toBe('needed');
    expect(deliveryPolicyOf({ jsonrpc: '2.0', id: 1, result: {} }, new MethodTable())).toBe('needed');
  });
});

describe('the end of a stream', () => {
  it('is notified once to listeners, at once to late ones', () => {
    const stream = new Stream(sink(), () => {});
    const notified: string[] = [];
    stream.onEnd(() => notified.push('one'));
    stream.onEnd(() => notified.push('two'));
    stream.end();
    stream.onClose();
    stream.onEnd(() => notified.push('late'));
    expect(notified).toEqual(['one', 'two', 'late']);
  });

  it('stops all writes and queues', () => {
    const to = sink();
    const stream = new Stream(to, () => {});
    stream.end();
    stream.write('x');
    to.unsent = MB;
    stream.send(changed);
    stream.send({ data: 'result', weight: 'needed' });
    to.drain();
    expect(to.written).toEqual([]);
  });
});

describe('open streams', () => {
  function responder(to: EventSink): HttpResponder & { leave(): void } {
    let gone: () => void = () => {};
    return {
      send: () => {},
      backpressured: false,
      stream: () => to,
      onDisconnect: (listener) => {
        gone = listener;
      },
      leave: () => gone(),
    };
  }

  it('are counted, get keep-alive comments, and leave no timer', () => {
    vi.useFakeTimers();
    try {
      const streams = new Streams({ keepAliveMs: 100 });
      const [one, two] = [sink(), sink()];
      const [first, second] = [responder(one), responder(two)];
      const usage = new Usage('test', 'caller', unlimited);
      let ticks = 0;
      expect(vi.getTimerCount()).toBe(0);
      streams.open({ responder: first, headers: [], usage }, () => ticks++);
      streams.open({ responder: second, headers: [], usage });
      expect([streams.size, usage.streams]).toEqual([2, 2]);
      two.unsent = MB;
      vi.advanceTimersByTime(250);
      expect([one.written.length, two.written.length, ticks]).toEqual([2, 0, 2]);
      first.leave();
      expect([streams.size, usage.streams]).toEqual([1, 1]);
      second.leave();
      vi.advanceTimersByTime(100);
      expect(vi.getTimerCount()).toBe(0);
      streams.open({ responder: responder(one), headers: [], usage });
      streams.endAll();
      expect([streams.size, usage.streams, vi.getTimerCount(), one.state]).toEqual([0, 0, 0, 'ended']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('end at once for a disconnected client', () => {
    const streams = new Streams({ keepAliveMs: 100_000 });
    const usage = new Usage('test', 'caller', unlimited);
    const gone: HttpResponder = {
      send: () => {},
      backpressured: false,
      stream: () => sink(),
      onDisconnect: (listener) => listener(),
    };
    const stream = streams.open({ responder: gone, headers: [], usage });
    expect([stream.open, streams.size, usage.streams]).toEqual([false, 0, 0]);
    streams.endAll();
  });
});
