import {
  createServer,
  ErrorCode,
  type LogLevel,
  type Middleware,
  ProtocolError,
  type Server,
  stderrLogger,
} from '@ccmcp/core';
import { conjugateTool, identifyTool, irregularTool, spanishTool } from './tools.ts';

export interface MiniagentOptions {
  /** The minimum level of messages on stderr. Default: `info`. */
  logLevel?: LogLevel;
}

/** Creates the verb server: English verbs in all forms, and common ones in Spanish. */
export function miniagentServer({ logLevel = 'info' }: MiniagentOptions = {}): Server {
  const server = createServer({
    name: 'miniagent-server',
    version: '0.1',
    tools: [conjugateTool, irregularTool, spanishTool, identifyTool],
    invalidArguments: 'protocol-error',
    exceptions: 'protocol-error',
    anyVersion: true,
    warnUninitialized: true,
    capabilities: { logging: false, listChanged: false },
    logger: stderrLogger(logLevel),
  });
  return server.use(rejectUnknownTools(server), { deferHandshake: true });
}

/** Rejects an unknown tool with its name in quotes. */
function rejectUnknownTools({ tools }: Server): Middleware {
  return (call, next) => {
    const { name } = call.params;
    if (call.method === 'tools/call' && typeof name === 'string' && !tools.has(name)) {
      throw new ProtocolError(ErrorCode.InvalidParams, `Unknown tool: '${name.slice(0, 128)}'`);
    }
    return next();
  };
}
