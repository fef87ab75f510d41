import assert from 'node:assert/strict';
import type { Store } from '../../stores/store.ts';
import { acrossInstances, onOneAndTwoInstances, uniqueKey, longText, waitUntil } from './case.ts';

/** Collects the messages of a topic. */
async function collectMessages(store: Store, topic: string): Promise<string[]> {
  const received: string[] = [];
  await store.subscribe(topic, (message) => received.push(message));
  return received;
}

/** Publishes a last message, and waits until all listeners have received it. */
async function publishLast(store: Store, topic: string, listeners: readonly string[][]): Promise<void> {
  await store.publish(topic, 'end');
  await waitUntil(
    () => listeners.every((received) => received.includes('end')),
    'all subscribers had received the last message',
  );
}

/** Publish and subscribe. */
export const topicCases = [
  ...onOneAndTwoInstances('delivers messages to every subscriber once and in order', async (one, two) => {
    const topic = uniqueKey();
    const listeners = [
      await collectMessages(one, topic),
      await collectMessages(one, topic),
      await collectMessages(two, topic),
    ];
    const elsewhere = await collectMessages(two, uniqueKey());
    const messages = ['', 'ä\n"😀', longText, ...Array.from({ length: 20 }, (_, index) => `message ${index}`)];
    for (const message of messages) await one.publish(topic, message);
    await publishLast(one, topic, listeners);
    for (const received of listeners) assert.deepEqual(received, [...messages, 'end']);
    assert.deepEqual(elsewhere, []);
  }),

  ...onOneAndTwoInstances('keeps the order of messages that are published without awaiting', async (one, two) => {
    const topic = uniqueKey();
    const listeners = [await collectMessages(one, topic), await collectMessages(two, topic)];
    const messages = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    await Promise.all(messages.map(async (message) => one.publish(topic, message)));
    await publishLast(one, topic, listeners);
    for (const received of listeners) assert.deepEqual(received, [...messages, 'end']);
  }),

  acrossInstances('keeps the order of messages that instances publish one after the other', async (one, two) => {
    const topic = uniqueKey();
    const listeners = [await collectMessages(one, topic), await collectMessages(two, topic)];
    const messages = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    for (const [index, message] of messages.entries()) await (index % 2 === 0 ? one : two).publish(topic, message);
    await publishLast(one, topic, listeners);
    for (const received of listeners) assert.deepEqual(received, [...messages, 'end']);
  }),

  ...onOneAndTwoInstances('keeps the order if a subscriber publishes while it is notified', async (one, two) => {
    const topic = uniqueKey();
    const first = await collectMessages(two, topic);
    await one.subscribe(topic, (message) => {
      if (message === 'first') void one.publish(topic, 'second');
    });
    const last = await collectMessages(one, topic);
    await two.publish(topic, 'first');
    await waitUntil(() => [first, last].every((received) => received.length === 2), 'both messages had come');
    for (const received of [first, last]) assert.deepEqual(received, ['first', 'second']);
  }),

  ...onOneAndTwoInstances(
    'delivers nothing after the end of a subscription, and everything to other subscribers',
    async (one, two) => {
      const topic = uniqueKey();
      const received: string[] = [];
      const listener = (message: string): void => void received.push(message);
      const stop = await one.subscribe(topic, listener);
      await one.subscribe(topic, listener);
      const other = await collectMessages(two, topic);
      await two.publish(topic, 'both');
      await waitUntil(() => received.length === 2, 'a listener that subscribed twice was notified twice');
      stop();
      stop();
      await two.publish(topic, 'one');
      await publishLast(two, topic, [received, other]);
      assert.deepEqual(received, ['both', 'both', 'one', 'end']);
      assert.deepEqual(other, ['both', 'one', 'end']);
    },
  ),

  acrossInstances('delivers nothing to a closed instance, and everything to others', async (one, two, open) => {
    const topic = uniqueKey();
    const closing = await open();
    const [closed, other] = [await collectMessages(closing, topic), await collectMessages(two, topic)];
    await one.publish(topic, 'before');
    try {
      await waitUntil(() => closed.length === 1, 'the first message had come');
    } finally {
      await closing.close();
    }
    await publishLast(one, topic, [other]);
    assert.deepEqual(closed, ['before']);
    assert.deepEqual(other, ['before', 'end']);
  }),

  ...onOneAndTwoInstances('reports no missed messages if none were missed', async (one, two) => {
    const topic = uniqueKey();
    const received: string[] = [];
    const missed = (): void => void received.push('missed');
    await one.subscribe(topic, (message) => received.push(message), missed);
    await two.publish(topic, 'message');
    await publishLast(two, topic, [received]);
    assert.deepEqual(received, ['message', 'end']);
  }),
];
