import { expect, it } from 'vitest';
import type { Notification } from '../jsonrpc/message.ts';
import { ChangeFeed } from './change-feed.ts';
import { Session } from './session.ts';

const note: Notification = { jsonrpc: '2.0', method: 'notifications/x' };

it('a session is not ready until its client says so', () => {
  expect(new Session().initialized).toBe(false);
});

it('a session without send gets no notifications', () => {
  const feed = new ChangeFeed();
  const session = new Session();
  session.notify(note);
  session.join(feed);
  expect(feed.size).toBe(0);
  session.end();
});

it('a session is notified of changes for its caller only (FT-33)', async () => {
  const feed = new ChangeFeed();
  const received = ['ann', 'bob', undefined].map((principal) => {
    const uris: unknown[] = [];
    const session = new Session(({ method, params }) => void uris.push(params?.uri ?? method));
    session.principal = principal;
    for (const uri of ['a://all', 'a://ann', 'a://nobody']) session.subscriptions.add(uri);
    session.join(feed);
    return uris;
  });
  feed.publish({ kind: 'resource', uri: 'a://all' });
  feed.publish({ kind: 'resource', uri: 'a://ann', to: { principal: 'ann' } });
  feed.publish({ kind: 'resource', uri: 'a://nobody', to: { principal: undefined } });
  feed.publish({ kind: 'resources', to: { principal: 'ann' } });
  feed.publish({ kind: 'resources', to: { principal: 'bob' } });
  await Promise.resolve();
  const changed = 'notifications/resources/list_changed';
  expect(received).toEqual([
    ['a://all', 'a://ann', changed],
    ['a://all', changed],
    ['a://all', 'a://nobody'],
  ]);
});

it('a session is notified of changes once, however often it subscribes, until it ends', async () => {
  const received: Notification[] = [];
  const feed = new ChangeFeed();
  const session = new Session((message) => void received.push(message));
  session.join(feed);
  session.join(feed);
  expect(feed.size).toBe(1);
  session.subscriptions.add('a://b');
  feed.publish({ kind: 'resource', uri: 'a://b' });
  feed.publish({ kind: 'resource', uri: 'a://c' });
  feed.publish({ kind: 'tools' });
  await Promise.resolve();
  expect(received).toStrictEqual([
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a://b' } },
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  ]);
  session.end();
  expect([feed.size, session.subscriptions.has('a://b')]).toEqual([0, false]);
  session.join(feed);
  expect(feed.size).toBe(1);
});
