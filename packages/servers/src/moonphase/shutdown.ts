import { type ServerExtension, type Tool, tool } from '@ccmcp/core';

/** A tool and a request that shut down the server: they call `end` once, after the response is sent. */
export function shutdown(end: () => void): { tool: Tool; extension: ServerExtension } {
  let isEnding = false;
  const begin = (): void => {
    // The response is written in this turn of the event loop.
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
