import type { Server } from '@ccmcp/core';
import { currentCall } from './connections/message-tracker.ts';
import { subjectOf } from './connections/parse-frame.ts';
import { roundMs } from './connections/message-tracker.ts';
import { type EventLog, now } from './log/event-log.ts';

/** Logs the duration of every request inside an in-process server. Returns a function that stops it. */
export function observeSpans(server: Server, log: EventLog): () => void {
  return server.observe({
    begin: ({ method, params, origin }) => {
      const start = now();
      const call = currentCall.getStore();
      const { subject } = subjectOf(params);
      const name = subject === undefined ? method : `${method} ${subject}`;
      return {
        end: ({ outcome, durationMs, revision, clientInfo }) => {
          log.add('span', {
            ...(call !== undefined && { call }),
            name,
            start,
            ms: roundMs(durationMs),
            outcome,
            details: {
              ...(origin?.transport !== undefined && { transport: origin.transport }),
              ...(revision !== undefined && { revision }),
              ...(clientInfo !== undefined && { client: `${clientInfo.name} ${clientInfo.version}`.slice(0, 200) }),
            },
          });
        },
      };
    },
  });
}
