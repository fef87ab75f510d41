import { describe, expect, it } from 'vitest';
import { Topics } from './topics.ts';

describe('topics', () => {
  it('exist while there is a listener', () => {
    const topics = new Topics();
    const stops = [topics.subscribe('a', () => {}), topics.subscribe('a', () => {}), topics.subscribe('b', () => {})];
    expect(topics.size).toBe(2);
    stops[0]?.();
    expect(topics.size).toBe(2);
    stops[1]?.();
    expect(topics.size).toBe(1);
    topics.clear();
    expect(topics.size).toBe(0);
  });

  it('are not removed by a listener that had already unsubscribed', () => {
    const topics = new Topics();
    const stop = topics.subscribe('a', () => {});
    stop();
    const received: string[] = [];
    topics.subscribe('a', (message) => received.push(message));
    stop();
    topics.publish('a', 'still here');
    expect(received).toEqual(['still here']);
  });

  it('notify nobody after they were cleared', () => {
    const topics = new Topics();
    topics.subscribe('a', () => expect.fail('this was cleared'));
    topics.clear();
    expect(topics.publish('a', 'x')).toBeUndefined();
  });

  it('deliver synchronously', () => {
    const topics = new Topics();
    const received: string[] = [];
    topics.subscribe('a', (message) => received.push(message));
    topics.publish('a', '1');
    expect(received).toEqual(['1']);
  });

  it('deliver a message to all listeners before one that it caused', () => {
    const topics = new Topics();
    const received: string[] = [];
    topics.subscribe('a', (message) => {
      if (message === 'first') topics.publish('a', 'second');
      received.push(`one: ${message}`);
    });
    topics.subscribe('a', (message) => received.push(`two: ${message}`));
    topics.publish('a', 'first');
    expect(received).toEqual(['one: first', 'two: first', 'one: second', 'two: second']);
  });

  it('continue after a listener has thrown', () => {
    const topics = new Topics();
    const received: string[] = [];
    topics.subscribe('a', (message) => {
      received.push(message);
      if (message === 'bad') throw new Error('no');
    });
    expect(() => topics.publish('a', 'bad')).toThrow('no');
    topics.publish('a', 'good');
    expect(received).toEqual(['bad', 'good']);
  });
});
