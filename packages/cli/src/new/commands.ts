import { candidates, type CommandGroup } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';
import { serveFile } from '../serve/commands.ts';

const newProject = defineCommand({
  name: 'new',
  usage: 'NAME',
  helpUsage: ['NAME [--ts | --js] [--http] [--no-install]'],
  summary: 'make a project with a server of your own, ready to run and to test',
  aliases: { create: 'new NAME', init: 'new NAME', scaffold: 'new NAME' },
  description: `
Makes a project with an MCP server of your own, in a new folder NAME (or a path whose last part is the name): a server
with one tool, tests, and the file that starts it. "npm test" and "npm start" work at once. @ccmcp/core comes from the
clone that this command runs in, packed into the project, or else from the registry.`,
  options: {
    js: { about: 'JavaScript, which needs nothing else (the default)' },
    ts: { about: 'TypeScript, compiled by tsc' },
    http: { about: 'serve over HTTP instead of stdio' },
    'no-install': { about: 'do not run "npm install"' },
  },
  examples: ['ccmcp new weather', 'ccmcp new ../weather --ts --http'],
  exitCodes: '0 done; 1 not made, or made but not installed; 2 the command line is wrong; 130 interrupted.',
  complete: (words) => candidates([], words.length < 2 ? 'folders' : 'none'),
  run: async (parsed) => (await import('./new.ts')).newProject(parsed),
});

/** The commands for a server of one's own. */
export const projectCommands: CommandGroup = { title: 'Your own servers', commands: [newProject, serveFile] };
