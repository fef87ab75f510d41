import { createServer, type LogLevel, type Server, stderrLogger } from '@ccmcp/core';
import { apps } from '@ccmcp/core/apps';
import { moonsTool } from './moons-tool.ts';
import { shutdown } from './shutdown.ts';
import { moonphaseTool } from './tool.ts';

export interface MoonphaseOptions {
  /** The least severe message that goes to stderr, and to clients that chose no level. Default: `info`. */
  logLevel?: LogLevel;
  /** Whether there is a picture where the caller doesn't say. Default: true. */
  picture?: boolean;
  /** Lets clients end the server, by the tool or the request `shutdown`: called after the answer has gone out. */
  allowShutdown?: () => void;
}

/** How the server is reached over HTTP where nothing else is said: with the key from a variable in a header. */
export const moonphaseHttp = { port: 8181, keyHeader: 'X-Api-Token', keyVariable: 'MOONPHASE_API_KEY' } as const;

/** The server that knows the moon. */
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
