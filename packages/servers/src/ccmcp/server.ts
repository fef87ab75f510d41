import { createServer, type LogLevel, type Middleware, type Server, stderrLogger } from '@ccmcp/core';
import { logCalls } from './log.ts';
import { prompts } from './prompts.ts';
import { readingTools } from './reading-tools.ts';
import { refuseChanges } from './read-only.ts';
import { registrationTools } from './registration.ts';
import { resources, type Usage } from './resources.ts';
import { defaultRoots, openSandboxes } from './roots.ts';
import { openSandbox } from './sandbox.ts';
import { simpleTools } from './simple-tools.ts';
import { writingTools } from './writing-tools.ts';

export interface CcmcpOptions {
  /** The folder that the file tools work in. Default: the working directory, and the system's temporary folder. */
  root?: string | undefined;
  /** Offers no tool that changes files. */
  readOnly?: boolean;
  /** What is deleted is gone at once, instead of to a trash inside the root. */
  hard?: boolean;
  /**
   * The least severe message that goes to stderr, and to clients that chose no level. Default: `info` for stderr, `debug`
   * for clients.
   */
  logLevel?: LogLevel | undefined;
  /** Names of tools that are offered together with this server's: those made while it runs must not look like them. */
  otherTools?: () => Iterable<string>;
}

/** The default server: a few simple tools, files below a root, and tools that are made while it runs. */
export function ccmcpServer(options: CcmcpOptions = {}): Server {
  const { root, readOnly = false, hard = false, logLevel, otherTools = () => [] } = options;
  const usage: Usage = { requests: 0, started: performance.now() };
  const sandbox = root === undefined ? openSandboxes(defaultRoots()) : openSandbox(root);
  const changing = writingTools(sandbox, { hard });
  const withheld = readOnly ? changing : [];
  const server = createServer({
    name: 'ccmcp',
    version: '0.1.0',
    tools: [...simpleTools, ...readingTools(sandbox), ...(readOnly ? [] : changing)],
    prompts,
    logLevel: logLevel ?? 'debug',
    logRefusals: true,
    logger: stderrLogger(logLevel ?? 'info'),
  });
  // A name that is withheld must not come to mean something else.
  const taken = (): Iterable<string> => [...otherTools(), ...withheld.map(({ name }) => name)];
  server.tools.add(...registrationTools(server, taken));
  server.resources.add(...resources(server, usage));
  return server.use(refuseChanges(withheld)).use(logCalls).use(countRequests(usage));
}

function countRequests(usage: Usage): Middleware {
  return (call, next) => {
    if (call.requestId !== undefined) usage.requests += 1;
    return next();
  };
}
