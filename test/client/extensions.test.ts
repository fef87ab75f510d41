import { createServer, type Extension } from '@ccmcp/core';
import { type Client, connect, httpTransport, memoryTransport } from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';

/** One value for client and server. */
function tickets(): Extension & { received: unknown[] } {
  const received: unknown[] = [];
  return {
    id: 'com.example/tickets',
    methods: {
      'tickets/draw': {
        mirrors: 'queue',
        serve: ({ params, notify }) => {
          if (params.number !== undefined) return { desk: 2 };
          notify('notifications/tickets/called', { number: 1 });
          return { resultType: 'ticket', number: 1 };
        },
      },
    },
    notifications: {
      'notifications/tickets/called': {
        onNotification: ({ number }) => void received.push(`client received ${String(number)}`),
      },
      'notifications/tickets/collected': {
        receive: ({ params }) => void received.push(`server received ${String(params.number)}`),
      },
    },
    resultTypes: {
      ticket: { follow: ({ number }, { request }) => request('tickets/draw', { queue: 'a', number }) },
    },
    listens: {
      ticketNumbers: (wish) => ({ granted: wish, matches: () => true }),
    },
    received,
  };
}

type Reach = (extension: Extension, version: string) => Promise<Client>;

const ways: Record<string, Reach> = {
  async memory(extension, version) {
    const server = createServer({ name: 's', version: '1', extensions: [extension] });
    return connect(memoryTransport(server), { version, extensions: [extension] });
  },
  async http(extension, version) {
    const server = createServer({ name: 's', version: '1', extensions: [extension] });
    const service = await serveHttp(server);
    onTestFinished(() => service.close({ lingerMs: 0 }));
    return connect(httpTransport(service.url), { version, extensions: [extension] });
  },
};

describe.each(Object.entries(ways))('an extension that both sides support, over %s', (_, reach) => {
  describe.each(['2025-11-25', '2026-07-28'])('in %s', (version) => {
    it('serves a request whose result the client follows, and receives in both directions', async () => {
      const extension = tickets();
      const client = await reach(extension, version);
      onTestFinished(() => client.close());
      expect(client.supports(extension.id)).toBe(true);
      expect(await client.request('tickets/draw', { queue: 'a b ü' })).toMatchObject({ desk: 2 });
      await client.notify('notifications/tickets/collected', { number: 7 });
      await expect.poll(() => extension.received).toEqual(['client received 1', 'server received 7']);
    });
  });
});
