import { type Tool, tool } from '@ccmcp/core';

/** A tool that ends the server, by a function that is called once and only after the answer has gone out. */
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
      // The answer is written in this turn of the event loop.
      if (!isEnding) setImmediate(end);
      isEnding = true;
      return 'Shutting down';
    },
  );
}
