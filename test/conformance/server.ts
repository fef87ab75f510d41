import { createServer, type Server } from '@ccmcp/core';
import { prompts } from './prompts.ts';
import { resources, templates } from './resources.ts';
import { fixtureSkills } from './skills.ts';
import { askingTools } from './tools-asking.ts';
import { changingTools } from './tools-changing.ts';
import { contentTools } from './tools-content.ts';
import { roundTools } from './tools-rounds.ts';

/** The server that the official conformance suites expect: names and behaviour are theirs. */
export function fixtureServer(): Server {
  const server = createServer({
    name: 'conformance-fixture',
    version: '1.0.0',
    tools: [...contentTools, ...askingTools, ...roundTools],
    resources,
    templates,
    prompts,
    extensions: [fixtureSkills],
  });
  server.tools.add(...changingTools(server));
  return server;
}
