import { createServer, type LogLevel, type Server, stderrLogger } from '@ccmcp/core';
import { apps } from '@ccmcp/core/apps';
import { moonsTool } from './moons-tool.ts';
import { shutdown } from './shutdown.ts';
import { moonphaseTool } from './moonphase-tool.ts';

export interface MoonphaseOptions {
  /** The least severe message that goes to stderr, and to clients that chose no level. Default: `info`. */
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
  const ending = allowShutdown && shutdown(allowShutdown);
  return createServer({
    name: 'moonphase',
    version: '0.1.0',
    title: 'Moon phase',
    tools: [moonphaseTool({ picture }), moonsTool(), ...(ending ? [ending.tool] : [])],
    extensions: [apps(), ...(ending ? [ending.extension] : [])],
    logLevel,
    logger: stderrLogger(logLevel),
  });
}
