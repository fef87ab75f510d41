import { createServer, type LogLevel, type Server, stderrLogger } from '@ccmcp/core';
import { apps } from '@ccmcp/core/apps';
import { tasks } from '@ccmcp/core/tasks';
import { argumentTools } from './argument-tools.ts';
import { changeTools } from './change-tools.ts';
import { contentTools } from './content-tools.ts';
import { errorTools } from './error-tools.ts';
import { icon } from './media.ts';
import { prompts } from './prompts.ts';
import { questionTools } from './question-tools.ts';
import { everyResource, templates } from './resources.ts';
import { everySkill } from './skill.ts';
import { taskTools } from './task-tools.ts';
import { viewTools } from './view.ts';
import { workTools } from './work-tools.ts';

export interface EverythingOptions {
  /** The minimum level of messages on stderr, and to clients without a chosen level. Default: `info`. */
  logLevel?: LogLevel;
}

/** Creates a server with every feature of every revision, to test clients with. */
export function everythingServer({ logLevel = 'info' }: EverythingOptions = {}): Server {
  const counter = { value: 0 };
  const server = createServer({
    name: 'everything',
    version: '0.1.0',
    title: 'Everything',
    description: 'Every feature of MCP, to test clients with',
    icons: [icon],
    instructions: 'Each tool shows one feature of the protocol. Nothing has an effect outside of this server.',
    tools: [
      ...contentTools,
      ...argumentTools,
      ...errorTools,
      ...workTools(),
      ...questionTools,
      ...taskTools,
      ...viewTools(),
    ],
    resources: everyResource(counter),
    templates,
    prompts,
    extensions: [apps(), everySkill, tasks()],
    pageSize: 25,
    cache: { ttlMs: 5000, scope: 'public' },
    logLevel,
    logger: stderrLogger(logLevel),
  });
  server.tools.add(...changeTools(server, counter));
  return server;
}
