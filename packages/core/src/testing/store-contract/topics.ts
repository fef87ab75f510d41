import assert from 'node:assert/strict';
import type { Store } from '../../stores/store.ts';
import { between, both, fresh, longText, until } from './case.ts';

/** What has come to a listener so far. */
async function heardOn(store: Store, topic: string): Promise<string[]> {
  const heard: string[] = [];
  await store.subscribe(topic, (message) => heard.push(message));
  return heard;
}

/** Publishes a last message, and resolves when all have heard that. */
async function end(store: Store, topic: string, listeners: readonly string[][]): Promise<void> {
  await store.publish(topic, 'end');
  await until(() => listeners.every((heard) => heard.includes('end')), 'all subscribers had heard the last message');
}

/** What a store must do so that instances hear from each other. */
export const topicCases = [
  ...both('tells every subscriber of a topic, each once and in order', async (one, two) => {
    const topic = fresh();
    const listeners = [await heardOn(one, topic), await heardOn(one, topic), await heardOn(two, topic)];
    const elsewhere = await heardOn(two, fresh());
    const messages = ['', 'ä\n"😀', longText, ...Array.from({ length: 20 }, (_, index) => `message ${index}`)];
    for (const message of messages) await one.publish(topic, message);
    await end(one, topic, listeners);
    for (const heard of listeners) assert.deepEqual(heard, [...messages, 'end']);
    assert.deepEqual(elsewhere, []);
  }),

  ...both('keeps the order of messages that are published without waiting', async (one, two) => {
    const topic = fresh();
    const listeners = [await heardOn(one, topic), await heardOn(two, topic)];
    const messages = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    await Promise.all(messages.map(async (message) => one.publish(topic, message)));
    await end(one, topic, listeners);
    for (const heard of listeners) assert.deepEqual(heard, [...messages, 'end']);
  }),

  between('keeps the order of messages that instances publish one after the other', async (one, two) => {
    const topic = fresh();
    const listeners = [await heardOn(one, topic), await heardOn(two, topic)];
    const messages = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    for (const [index, message] of messages.entries()) await (index % 2 === 0 ? one : two).publish(topic, message);
    await end(one, topic, listeners);
    for (const heard of listeners) assert.deepEqual(heard, [...messages, 'end']);
  }),

  ...both('keeps the order where a subscriber publishes while it is told', async (one, two) => {
    const topic = fresh();
    const first = await heardOn(two, topic);
    await one.subscribe(topic, (message) => {
      if (message === 'first') void one.publish(topic, 'second');
    });
    const last = await heardOn(one, topic);
    await two.publish(topic, 'first');
    await until(() => [first, last].every((heard) => heard.length === 2), 'both messages had come');
    for (const heard of [first, last]) assert.deepEqual(heard, ['first', 'second']);
  }),

  ...both('tells nothing to those who stopped listening, and the others all', async (one, two) => {
    const topic = fresh();
    const heard: string[] = [];
    const listener = (message: string): void => void heard.push(message);
    const stop = await one.subscribe(topic, listener);
    await one.subscribe(topic, listener);
    const other = await heardOn(two, topic);
    await two.publish(topic, 'both');
    await until(() => heard.length === 2, 'a listener that subscribed twice was told twice');
    stop();
    stop();
    await two.publish(topic, 'one');
    await end(two, topic, [heard, other]);
    assert.deepEqual(heard, ['both', 'both', 'one', 'end']);
    assert.deepEqual(other, ['both', 'one', 'end']);
  }),

  between('tells nothing to an instance that was closed, and the others all', async (one, two, open) => {
    const topic = fresh();
    const closing = await open();
    const [closed, other] = [await heardOn(closing, topic), await heardOn(two, topic)];
    await one.publish(topic, 'before');
    try {
      await until(() => closed.length === 1, 'the first message had come');
    } finally {
      await closing.close();
    }
    await end(one, topic, [other]);
    assert.deepEqual(closed, ['before']);
    assert.deepEqual(other, ['before', 'end']);
  }),

  ...both('does not say that messages were missed where none were', async (one, two) => {
    const topic = fresh();
    const heard: string[] = [];
    const missed = (): void => void heard.push('missed');
    await one.subscribe(topic, (message) => heard.push(message), missed);
    await two.publish(topic, 'message');
    await end(two, topic, [heard]);
    assert.deepEqual(heard, ['message', 'end']);
  }),
];
