import { describe, expect, it } from 'vitest';
import type { Receiver, Transport } from '../client/transport.ts';
import type { Message } from '../jsonrpc/message.ts';
import { MethodTable } from '../protocol/methods.ts';
import { tapTransport } from './tap-transport.ts';

const ping: Message = { jsonrpc: '2.0', id: 1, method: 'ping' };
const pong: Message = { jsonrpc: '2.0', id: 1, result: {} };

/** A transport that records its calls. */
function transport(did: unknown[], more: Partial<Transport> = {}): Transport & { receiver(): Receiver } {
  let given: Receiver | undefined;
  return {
    streamPerRequest: true,
    start: async (receiver) => {
      given = receiver;
    },
    send(message) {
      did.push(['send', message]);
      return undefined;
    },
    close: async () => void did.push(['close']),
    ...more,
    receiver: () => given as Receiver,
  };
}

/** A receiver that records its calls. */
function receiver(received: unknown[]): Receiver {
  return {
    methods: new MethodTable(),
    receive: (message) => void received.push(['receive', message]),
    warn: (text) => void received.push(['warn', text]),
    sessionLost: () => void received.push(['lost']),
    closed: (reason) => void received.push(['closed', reason]),
  };
}

describe('a tapped transport', () => {
  it('reports every message with its sender before passing it on', async () => {
    const all: unknown[] = [];
    const inner = transport(all);
    const outer = tapTransport(inner, (sender, message) => void all.push([sender, message]));
    await outer.start(receiver(all));
    expect(outer.send(ping)).toBeUndefined();
    inner.receiver().receive(pong);
    expect(all).toEqual([
      ['client', ping],
      ['send', ping],
      ['server', pong],
      ['receive', pong],
    ]);
  });

  it('passes on everything else unchanged', async () => {
    const all: unknown[] = [];
    const inner = transport(all, {
      abandon: (id) => void all.push(['abandon', id]),
      openStream: async () => void all.push(['openStream']),
      diagnostics: () => 'out of memory',
    });
    const outer = tapTransport(inner, () => all.push('seen'));
    const to = receiver(all);
    await outer.start(to);
    const reason = new Error('over');
    const given = inner.receiver();
    expect(given.methods).toBe(to.methods);
    given.warn('careful');
    given.sessionLost();
    given.closed(reason);
    outer.abandon?.(7);
    await outer.openStream?.();
    expect(outer.diagnostics?.()).toBe('out of memory');
    await outer.close();
    expect(all).toEqual([['warn', 'careful'], ['lost'], ['closed', reason], ['abandon', 7], ['openStream'], ['close']]);
  });

  it('waits while the inner transport sends', async () => {
    const sending = Promise.resolve();
    const outer = tapTransport(transport([], { send: () => sending }), () => {});
    expect(outer.send(ping)).toBe(sending);
  });

  it('has the optional members of the inner transport, and no others', () => {
    const plain = tapTransport(transport([]), () => {});
    expect(Object.keys(plain).sort()).toEqual(['close', 'send', 'start', 'streamPerRequest']);
    expect(plain.streamPerRequest).toBe(true);
    const endpoint = 'http://localhost/mcp';
    const full = tapTransport(transport([], { streamPerRequest: false, only: 'handshake', endpoint }), () => {});
    expect(full).toMatchObject({ streamPerRequest: false, only: 'handshake', endpoint });
  });
});
