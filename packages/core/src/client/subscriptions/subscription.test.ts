import { describe, expect, it } from 'vitest';
import { ChangeQueue, parseChange } from './subscription.ts';

describe('unread changes of a subscription', () => {
  it('are queued once each, in the order of their last occurrence', async () => {
    const queue = new ChangeQueue(() => []);
    queue.push({ kind: 'tools' });
    queue.push({ kind: 'resource', uri: 'a' });
    queue.push({ kind: 'tools' });
    queue.push({ kind: 'resource', uri: 'b' });
    queue.end();
    const read: unknown[] = [];
    for await (const change of queue.read()) read.push(change.kind === 'resource' ? change.uri : change.kind);
    expect(read).toEqual(['tools', 'a', 'b']);
  });

  it('may end with an error that nobody reads', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const queue = new ChangeQueue(() => []);
    queue.end(new Error('broke'));
    queue.end(new Error('broke again'));
    queue.push({ kind: 'tools' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    await expect(queue.read().next()).rejects.toThrow(/^broke$/);
  });

  it('end with the error of the subscription', async () => {
    const queue = new ChangeQueue(() => []);
    const next = queue.read().next();
    queue.end(new Error('broke'));
    await expect(next).rejects.toThrow('broke');
    await expect(queue.closed).rejects.toThrow('broke');
  });

  it('are bounded: above the limit everything counts as changed', async () => {
    const every = [{ kind: 'tools' }, { kind: 'resource', uri: 'a:' }] as const;
    const queue = new ChangeQueue(() => every);
    for (let index = 0; index < 10_001; index += 1) queue.push({ kind: 'resource', uri: `a:${index}` });
    queue.end();
    expect(await allOf(queue)).toEqual(every);
  });

  it('with a URI that is too long count as a change of everything', async () => {
    const every = [{ kind: 'resource', uri: 'a:' }] as const;
    const queue = new ChangeQueue(() => every);
    queue.push({ kind: 'prompts' });
    queue.push({ kind: 'resource', uri: `a:${'x'.repeat(8192)}` });
    queue.end();
    expect(await allOf(queue)).toEqual(every);
  });
});

async function allOf(queue: ChangeQueue): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const change of queue.read()) all.push(change);
  return all;
}

describe('a change notification', () => {
  it.each([
    ['notifications/tools/list_changed', {}, { kind: 'tools' }],
    ['notifications/prompts/list_changed', {}, { kind: 'prompts' }],
    ['notifications/resources/list_changed', {}, { kind: 'resources' }],
    ['notifications/resources/updated', { uri: 'a:b' }, { kind: 'resource', uri: 'a:b' }],
    ['notifications/resources/updated', { uri: 7 }, undefined],
    ['notifications/message', {}, undefined],
  ])('%s %j is reported as %j', (method, params, change) => {
    expect(parseChange(method, params)).toEqual(change);
  });
});
