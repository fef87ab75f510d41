// An extension of the protocol: one value for both sides. A server takes `methods` and `notifications`, a client follows
// `resultTypes` and hears `notifications`. Everything here is public.
import { setTimeout as wait } from 'node:timers/promises';
import { draw } from './methods/tickets/draw.js';

/**
 * Numbers for a queue.
 *
 * @param {{ turnMs?: number, onCalled?: (number: unknown) => void }} [options]
 * @returns {import('@ccmcp/core').Extension}
 */
export function tickets({ turnMs = 100, onCalled = () => {} } = {}) {
  const queue = { waiting: new Map(), last: 0, turnMs };
  return {
    // A domain that you own, reversed, and a name.
    id: 'com.example/tickets',
    settings: { desks: 1 },
    methods: { 'tickets/draw': draw(queue) },
    notifications: {
      'notifications/tickets/called': { onNotification: ({ number }) => onCalled(number) },
    },
    resultTypes: {
      ticket: {
        methods: ['tickets/draw'],
        async follow({ number, waitMs }, { request, signal }) {
          await wait(Number(waitMs), undefined, { signal });
          return request('tickets/draw', { number });
        },
      },
    },
  };
}
