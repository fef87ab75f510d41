import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionClient } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { sharedUrl, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { type Cluster, startCluster, stopInstances } from './fixtures/instances.ts';
import { type Peer, peerKinds } from './fixtures/peers.ts';
import type { Passed } from './fixtures/proxy.ts';

const ofSessions = peerKinds.filter(({ by }) => by === 'session');

describe.skipIf(sharedUrl === undefined)('three instances behind a balancer', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster(sharedUrl as string);
  });

  afterAll(async () => {
    await stopInstances();
    await stopAll();
  });

  /** Requests of one method that were forwarded after a moment. */
  function passedSince(moment: number, method: string): Passed[] {
    return cluster.proxy.passed.slice(moment).filter((passed) => passed.method === method);
  }

  /** A waiting call, and its instance. */
  async function waitingCall(
    peer: Peer,
    signal: AbortSignal,
  ): Promise<{ at: string; gate: string; call: Promise<unknown> }> {
    const gate = randomUUID();
    const call = peer.call('wait', { gate }, { signal });
    call.catch(() => {});
    const at = await Promise.race(cluster.instances.map((each) => each.call('reached', { gate })));
    return { at: String(at), gate, call };
  }

  describe.each(peerKinds)('and a client: $kind', ({ by, connect }) => {
    it('which is served by all of them (MI-01)', async () => {
      const begun = cluster.proxy.passed.length;
      const peer = await connect(cluster.url);
      const first = cluster.proxy.passed[begun]?.instance;
      const served = new Set<string | undefined>();
      for (let each = 0; each < 6; each++) served.add(await peer.call('who'));
      const at = passedSince(begun, 'tools/call').map(({ instance }) => instance);
      expect(new Set(at)).toEqual(new Set(['a', 'b', 'c']));
      // A stream of the first transport is served by its instance.
      expect(served).toEqual(new Set(by === 'stream' ? [first] : ['a', 'b', 'c']));
    });

    it('which gets a question from one of them, and answers to another (MI-09)', async () => {
      const begun = cluster.proxy.passed.length;
      const peer = await connect(cluster.url);
      await peer.call('who');
      for (let each = 0; each < 3; each++) {
        const before = cluster.proxy.passed.length;
        const answered = await peer.call('ask');
        const [asked, received] = cluster.proxy.passed.slice(before);
        expect([asked?.method, received?.method]).toEqual(['tools/call', by === 'nothing' ? 'tools/call' : 'response']);
        expect(received?.instance).not.toBe(asked?.instance);
        const stream = cluster.proxy.passed[begun]?.instance;
        expect(answered).toBe(`${{ session: asked?.instance, stream, nothing: received?.instance }[by]} Ann`);
      }
    });

    it('which gets each change on any of them once (MI-03)', async () => {
      const begun = cluster.proxy.passed.length;
      const peer = await connect(cluster.url);
      await peer.watch('test://1');
      // With a session, changes arrive on a stream that clients open after connecting.
      const hasStream = () =>
        cluster.proxy.passed.slice(begun).some(({ verb, answered }) => verb === 'GET' && answered);
      if (by === 'session') await expect.poll(hasStream).toBe(true);
      for (const [index, instance] of cluster.instances.entries()) {
        await instance.call('change', { first: 1, count: 1 });
        await expect.poll(() => peer.received).toEqual(Array.from({ length: index + 1 }, () => 'test://1'));
      }
      peer.received.length = 0;
      for (const [index, instance] of cluster.instances.entries()) {
        await instance.call('grow');
        await expect.poll(() => peer.received).toEqual(Array.from({ length: index + 1 }, () => 'tools'));
      }
    });

    it('which cancels a call on one of them from another (MI-11)', async () => {
      const begun = cluster.proxy.passed.length;
      const peer = await connect(cluster.url);
      await peer.call('who');
      const stop = new AbortController();
      const { at, gate, call } = await waitingCall(peer, stop.signal);
      stop.abort();
      await expect(call).rejects.toThrow(/abort/i);
      expect(await cluster.instance(at).call('aborted', { gate })).toBeTypeOf('string');
      const posted = passedSince(begun, 'tools/call').at(-1)?.instance;
      const cancelled = passedSince(begun, 'notifications/cancelled').map(({ instance }) => instance === posted);
      // In the stateless era, a disconnect is a cancellation.
      expect(cancelled).toEqual(by === 'nothing' ? [] : [false]);
    });
  });

  describe.each(ofSessions)('and a client with a session: $kind', ({ connect }) => {
    it('resumes on another what broke off on one, without gap or repeat (MI-12)', async () => {
      const begun = cluster.proxy.passed.length;
      const peer = await connect(cluster.url);
      const notified: number[] = [];
      const answered = await peer.call(
        'steps',
        { text: 'x', steps: 8, everyMs: 50 },
        {
          onProgress(progress) {
            notified.push(progress);
            if (progress !== 2) return;
            // How many streams are resumed, and when, is up to the client: none of them on the instance of the call.
            cluster.proxy.drop(passedSince(begun, 'tools/call')[0]?.instance ?? '');
            cluster.proxy.breakOff();
          },
        },
      );
      const [call] = passedSince(begun, 'tools/call');
      cluster.proxy.add(cluster.instance(call?.instance ?? ''));
      expect(notified).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const [again] = cluster.proxy.passed.slice(begun).filter(({ lastEventId }) => lastEventId?.startsWith('r'));
      expect(again?.instance).not.toBe(call?.instance);
      expect(answered).toBe(`${call?.instance} x`);
    });

    it('ends its session on one, and thereby on all (MI-14)', async () => {
      const peer = await connect(cluster.url);
      await peer.call('who');
      const session = peer.session() ?? '';
      const before = cluster.proxy.passed.length;
      await peer.end?.();
      // Some clients reopen a stream that ended.
      expect(cluster.proxy.passed.slice(before).map(({ verb }) => verb)).toContain('DELETE');
      const statuses = cluster.instances.map(
        async ({ url }) => (await sessionClient(url, session).sendCall('who')).status,
      );
      expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
    });
  });
});
