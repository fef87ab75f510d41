import { createServer, type Server, type ServerExtension } from '@ccmcp/core';
import { tasks } from '@ccmcp/core/tasks';
import { prompts } from './prompts.ts';
import { resources, templates } from './resources.ts';
import { fixtureSkills } from './skills.ts';
import { askingTools } from './tools-asking.ts';
import { changingTools } from './tools-changing.ts';
import { contentTools } from './tools-content.ts';
import { roundTools } from './tools-rounds.ts';
import { taskTools } from './tools-tasks.ts';

/** The server that the official conformance suites expect: they define names and behaviour. */
export function fixtureServer(extensions: readonly ServerExtension[] = []): Server {
  const server = createServer({
    name: 'conformance-fixture',
    version: '1.0.0',
    tools: [...contentTools, ...askingTools, ...roundTools, ...taskTools],
    resources,
    templates,
    prompts,
    extensions: [fixtureSkills, tasks(), ...extensions],
  });
  server.tools.add(...changingTools(server));
  return server;
}
