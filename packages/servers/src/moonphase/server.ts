import {
  createServer,
  type LogLevel,
  type Server,
  type ServerExtension,
  stderrLogger,
  type Tool,
  tool,
} from '@ccmcp/core';
import { apps } from '@ccmcp/core/apps';
import { moonphaseTool, moonphasesTool } from './tools.ts';

export interface MoonphaseOptions {
  /** The minimum level of messages on stderr, and to clients without a chosen level. Default: `info`. */
  logLevel?: LogLevel;
  /** Whether results have a picture by default. Default: true. */
  picture?: boolean;
  /** Lets clients shut down the server with the tool or the request `shutdown`; called after the response. */
  allowShutdown?: () => void;
}

/** The HTTP defaults: port, header and environment variable of the API key. */
export const moonphaseHttp = { port: 8181, keyHeader: 'X-Api-Token', keyVariable: 'MOONPHASE_API_KEY' } as const;

/** Creates the moon phase server. */
export function moonphaseServer({ logLevel = 'info', picture = true, allowShutdown }: MoonphaseOptions = {}): Server {
  const shutdown = allowShutdown && createShutdown(allowShutdown);
  return createServer({
    name: 'moonphase',
    version: '0.1.0',
    title: 'Moon phase',
    tools: [moonphaseTool({ picture }), moonphasesTool(), ...(shutdown ? [shutdown.tool] : [])],
    extensions: [apps(), ...(shutdown ? [shutdown.extension] : [])],
    logLevel,
    logger: stderrLogger(logLevel),
  });
}

/** A tool and a request that shut down the server: they call `end` once, after the response is sent. */
function createShutdown(end: () => void): { tool: Tool; extension: ServerExtension } {
  let isShuttingDown = false;
  const begin = (): void => {
    // The response is written in this turn of the event loop.
    if (!isShuttingDown) setImmediate(end);
    isShuttingDown = true;
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
