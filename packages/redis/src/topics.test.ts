import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Topics } from './topics.ts';

/** A connection that receives a message at the moment when Redis confirms the subscription. */
class FakeConnection extends EventEmitter {
  readonly #early: string | undefined;

  constructor(early?: string) {
    super();
    this.#early = early;
  }

  async connect(): Promise<void> {}

  async ping(): Promise<void> {}

  subscribe(...channels: string[]): Promise<void> {
    const subscribed = Promise.resolve();
    if (this.#early !== undefined) for (const channel of channels) this.emit('message', channel, this.#early);
    return subscribed;
  }

  disconnect(): void {
    this.emit('end');
  }
}

describe('a topic after a lost connection', () => {
  it('reports the gap before later messages', async () => {
    const connections: FakeConnection[] = [];
    const topics = new Topics(() => {
      const connection = new FakeConnection(connections.length === 0 ? undefined : 'next');
      connections.push(connection);
      return connection as unknown as Redis;
    });
    onTestFinished(() => topics.close());
    await topics.open();
    const received: string[] = [];
    await topics.subscribe('a', {
      onMessage: (message) => received.push(message),
      onMissed: () => received.push('missed'),
    });
    connections[0]?.disconnect();
    await expect.poll(() => received).toEqual(['missed', 'next']);
    connections[1]?.emit('message', 'a', 'later');
    expect(received).toEqual(['missed', 'next', 'later']);
  });
});
