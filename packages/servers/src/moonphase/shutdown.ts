import { type ServerExtension, type Tool, tool } from '@ccmcp/core';

/** The ways for a client to end the server. `end` is called once, and only after the answer has gone out. */
export function shutdown(end: () => void): { tool: Tool; extension: ServerExtension } {
  let isEnding = false;
  const begin = (): void => {
    // The answer is written in this turn of the event loop.
    if (!isEnding) setImmediate(end);
    isEnding = true;
  };

  return {
    tool: tool(
      'shutdown',
      {
        title: 'Shut down',
        description: 'End this server for all of its clients, after the requests that are running',
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      },
      () => {
        begin();
        return 'Shutting down';
      },
    ),
    extension: {
      id: 'dev.ccmcp/shutdown',
      methods: {
        shutdown: {
          servesEveryone: true,
          serve() {
            begin();
            return {};
          },
        },
      },
    },
  };
}
