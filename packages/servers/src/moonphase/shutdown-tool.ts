import { type Tool, tool } from '@ccmcp/core';

/** A tool that shuts down the server: calls `end` once, after the response is sent. */
export function shutdownTool(end: () => void): Tool {
  let isEnding = false;
  return tool(
    'shutdown',
    {
      title: 'Shut down',
      description: 'End this server for all of its clients, after the requests that are running',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    () => {
      // The response is written in this turn of the event loop.
      if (!isEnding) setImmediate(end);
      isEnding = true;
      return 'Shutting down';
    },
  );
}
