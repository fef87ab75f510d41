import { describe, expect, it } from 'vitest';
import { start } from '../../packages/core/src/transports/http/server/fixtures/start.ts';
import { type Peer, type PeerKind, peerKinds } from './peers.ts';
import { engineOf } from '../../packages/core/src/server/server-handle.ts';

describe.each(peerKinds)('a client alone: $kind', ({ connect, answers }) => {
  it('calls tools, answers questions, and gets progress, changes and log messages', async () => {
    const { url, server, gates } = await start({ sse: true });
    const peer = await connect(url, 'ann');
    expect(await peer.call('echo', { text: 'grün' })).toBe('grün');
    if (answers) expect(await peer.call('ask', {})).toBe('Hello, ann');
    expect(await peer.follow('steps', { gate: 'g' }, () => gates.open('g'))).toEqual([1, 2, 3]);
    expect(await peer.call('say', { text: 'a warning' })).toBe('said');
    expect(peer.received).toEqual(['a warning']);
    await expect.poll(() => engineOf(server).feed.size).toBe(1);
    server.tools.remove('big');
    await expect.poll(() => peer.received).toEqual(['a warning', 'notifications/tools/list_changed']);
    await peer.close();
    expect(peer.complaints.filter(({ message }) => !/abort/i.test(message))).toEqual([]);
  });
});

describe('different clients at one server at the same time', () => {
  it('are isolated: responses, questions, progress and logs (SS-05, JR-40)', async () => {
    const { url, server, gates } = await start({ sse: true });
    const peers: (Peer & { kind: PeerKind })[] = [];
    for (const kind of peerKinds) {
      for (const number of [1, 2]) peers.push({ ...(await kind.connect(url, `${kind.kind} ${number}`)), kind });
    }
    await expect.poll(() => engineOf(server).feed.size).toBe(peers.length);
    await Promise.all(
      peers.map(async ({ name, kind, call, follow }) => {
        for (let round = 0; round < 5; round++) {
          const text = `${name}, round ${round}`;
          const [echo, later, said, asked, steps] = await Promise.all([
            call('echo', { text }),
            call('later', { text }),
            call('say', { text }),
            kind.answers ? call('ask', {}) : undefined,
            follow('steps', { gate: text }, () => gates.open(text)),
          ]);
          expect([echo, later, said, asked, steps]).toEqual([
            text,
            text,
            'said',
            kind.answers ? `Hello, ${name}` : undefined,
            [1, 2, 3],
          ]);
        }
      }),
    );
    server.tools.remove('big');
    for (const { name, received } of peers) {
      await expect.poll(() => received).toContain('notifications/tools/list_changed');
      const own = Array.from({ length: 5 }, (_, round) => `${name}, round ${round}`);
      expect({ name, received }).toEqual({ name, received: [...own, 'notifications/tools/list_changed'] });
    }
    await Promise.all(peers.map(({ close }) => close()));
    await expect.poll(() => engineOf(server).feed.size).toBe(0);
  });
});
