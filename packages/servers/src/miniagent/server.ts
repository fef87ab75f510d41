import { createServer, type LogLevel, type Server, stderrLogger } from '@ccmcp/core';
import { conjugateTool } from './conjugate-tool.ts';
import { identifyTool } from './identify-tool.ts';
import { irregularTool } from './irregular-tool.ts';
import { spanishTool } from './spanish-tool.ts';

export interface MiniagentOptions {
  /** The least severe message that goes to stderr, and to clients that chose no level. Default: `info`. */
  logLevel?: LogLevel;
}

/** The server that knows verbs: English ones in all their forms, and the common ones in Spanish. */
export function miniagentServer({ logLevel = 'info' }: MiniagentOptions = {}): Server {
  return createServer({
    name: 'miniagent-server',
    version: '0.1',
    tools: [conjugateTool, irregularTool, spanishTool, identifyTool],
    invalidArguments: 'protocol-error',
    exceptions: 'protocol-error',
    logLevel,
    logger: stderrLogger(logLevel),
  });
}
