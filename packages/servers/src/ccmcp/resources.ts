import { type Resource, resource, type Server } from '@ccmcp/core';

/** What is counted while the server runs. */
export interface Usage {
  requests: number;
  /** As `performance.now()` counts. */
  started: number;
}

/** The server's own facts, as resources. */
export function resources(server: Server, usage: Usage): Resource[] {
  const config = resource(
    'config://server',
    { name: 'Server configuration', description: 'Name, version and number of tools', mimeType: 'application/json' },
    () => ({ name: server.info.name, version: server.info.version, toolCount: server.tools.size }),
  );

  const stats = resource(
    'stats://usage',
    { name: 'Usage', description: 'Requests served and time since the start', mimeType: 'text/plain' },
    () => `Requests: ${usage.requests}\nUptime: ${((performance.now() - usage.started) / 1000).toFixed(3)} s\n`,
  );

  const help = resource(
    'help://commands',
    { name: 'Commands', description: 'Every tool with its description', mimeType: 'text/plain' },
    () => [...server.tools].map(({ name, description }) => `${name}: ${description ?? ''}\n`).join(''),
  );

  return [config, stats, help];
}
