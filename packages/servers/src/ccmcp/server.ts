import { createServer, type LogLevel, type Middleware, type Server, stderrLogger } from '@ccmcp/core';
import { fileTools } from './file-tools.ts';
import { logCalls } from './log.ts';
import { prompts } from './prompts.ts';
import { registrationTools } from './registration.ts';
import { resources, type Usage } from './resources.ts';
import { simpleTools } from './simple-tools.ts';

export interface CcmcpOptions {
  /** The folder that the file tools work in. */
  root: string;
  /** The least severe message that goes to stderr, and to clients that chose no level. Default: `info`. */
  logLevel?: LogLevel;
}

/** The default server: a few simple tools, files inside one folder, and tools that are made while it runs. */
export function ccmcpServer({ root, logLevel = 'info' }: CcmcpOptions): Server {
  const usage: Usage = { requests: 0, started: Date.now() };
  const server = createServer({
    name: 'ccmcp',
    version: '0.1.0',
    tools: [...simpleTools, ...fileTools(root)],
    prompts,
    logLevel,
    logger: stderrLogger(logLevel),
  });
  server.tools.add(...registrationTools(server));
  server.resources.add(...resources(server, usage));
  return server.use(logCalls).use(countRequests(usage));
}

function countRequests(usage: Usage): Middleware {
  return (call, next) => {
    if (call.requestId !== undefined) usage.requests += 1;
    return next();
  };
}
