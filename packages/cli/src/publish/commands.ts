import { candidates, type Command } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';

const completeFolder = (words: readonly string[]) => candidates([], words.length < 2 ? 'folders' : 'none');

const publish = defineCommand({
  name: 'publish',
  usage: '--check [FOLDER]',
  briefUsage: '--check',
  summary: 'check that a server project can be published; publishes nothing',
  description: `
Checks the project in FOLDER (default: this one) for what npm, the MCP registry and clients reject: fields of package.json, the files that npm
would publish, server.json, the Dockerfile, and whether the published program answers on stdio. It starts the server.`,
  options: {
    check: { about: 'check; the only thing that this command does' },
    strict: { about: 'warnings fail too' },
    json: { about: 'print JSON' },
  },
  examples: ['ccmcp publish --check', 'ccmcp publish --check ../weather --json'],
  exitCodes:
    '0 ready, 1 the project can not be read, 2 the command line is wrong, 10 there are errors, or with --strict warnings.',
  complete: completeFolder,
  run: async (parsed) => (await import('./publish.ts')).publish(parsed),
});

const pack = defineCommand({
  name: 'pack',
  usage: '[FOLDER]',
  briefUsage: '',
  summary: 'make what publishing a server project needs: server.json, bundle, Dockerfile',
  description: `
Makes, from the project in FOLDER (default: this one), its package.json and its running server:
server.json for the MCP registry, "mcpName" in package.json, a Dockerfile if there is none, a bundle NAME-VERSION.mcpb that desktop clients
install with a click, and install buttons for a README, which are printed. Nothing is published. Values in an existing server.json stay.`,
  options: {
    name: {
      value: 'NAME',
      about:
        'the name in the registry, such as io.github.ada/weather (default: mcpName, server.json, or from the repository)',
    },
    env: { value: 'NAME', about: 'an environment variable that the server reads; may be repeated', multiple: true },
    secret: { value: 'NAME', about: 'one that is required and secret, such as a key; may be repeated', multiple: true },
    'bundle-url': {
      value: 'URL',
      about: 'where the bundle will be for download: server.json names it with its digest',
    },
    'no-bundle': { about: 'make no bundle' },
    json: { about: 'print JSON' },
  },
  examples: ['ccmcp pack', 'ccmcp pack --name io.github.ada/weather --secret WEATHER_KEY'],
  exitCodes: '0 done, 1 not made, 2 the command line is wrong, 130 interrupted.',
  complete: completeFolder,
  run: async (parsed) => (await import('./pack.ts')).pack(parsed),
});

/** The commands for publishing a project. */
export const publishCommands: readonly Command[] = [publish, pack];
