import type { Server } from '@ccmcp/core';
import { inCall } from './connections/message-tracker.ts';
import { subjectOf } from './connections/parse-frame.ts';
import { round } from './connections/message-tracker.ts';
import { type EventLog, now } from './log/event-log.ts';

/** Tells how long each request took inside a server of this process, whoever made it. Gives what ends that. */
export function watchSpans(server: Server, log: EventLog): () => void {
  return server.observe({
    begin: ({ method, params, origin }) => {
      const start = now();
      const call = inCall.getStore();
      const { subject } = subjectOf(params);
      const name = subject === undefined ? method : `${method} ${subject}`;
      return {
        end: ({ outcome, durationMs, revision, clientInfo }) => {
          log.add('span', {
            ...(call !== undefined && { call }),
            name,
            start,
            ms: round(durationMs),
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
