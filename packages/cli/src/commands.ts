import { auditCommands } from './audit/commands.ts';
import { clientCommands } from './client/commands.ts';
import { defineClientCommand } from './client/define-client-command.ts';
import { candidates, type Command, type CommandGroup } from './command/command.ts';
import { defineCommand } from './command/define-command.ts';
import { contractCommands } from './contracts/commands.ts';
import { gatewayCommands } from './gateway/commands.ts';
import { installCommands } from './install/commands.ts';
import { loginCommands } from './login/commands.ts';
import { openapiCommand } from './openapi/commands.ts';
import { notesCommands } from './notes/commands.ts';
import { publishCommands } from './publish/commands.ts';
import { recordCommands } from './record/commands.ts';
import { typesCommands } from './types/commands.ts';
import { serveFile } from './serve/commands.ts';

/** `ccmcp new`. */
const newCommand = defineCommand({
  name: 'new',
  usage: 'NAME',
  helpUsage: ['NAME [--ts | --js] [--http] [--no-install]'],
  summary: 'create a server project, ready to run and to test',
  aliases: { create: 'new NAME', init: 'new NAME', scaffold: 'new NAME' },
  description: `
Creates a server project in a new folder NAME (or a path whose last part is the name): a server
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
  run: async (parsed) => (await import('./new/new.ts')).newProject(parsed),
});

/** `ccmcp inspect`. */
const inspectCommand = defineClientCommand({
  name: 'inspect',
  usage: '[TARGET …]',
  briefUsage: '[TARGET…]',
  summary: 'open the inspector: try and debug servers in a browser',
  aliases: { debug: 'inspect TARGET', inspector: 'inspect TARGET' },
  description: 'inspect servers in a browser: call tools, watch every message, diagnose problems',
  examples: ['ccmcp inspect notes', 'ccmcp inspect ./server.js https://example.com/mcp', 'ccmcp inspect --no-open'],
  options: ['port', 'no-open', 'model', 'model-service', 'model-url', 'model-key-env', 'model-key-file'],
  runWithoutTarget: async (call) => (await import('./inspect/inspect.ts')).inspect(call),
});

/** `ccmcp top`. */
const topCommand = defineCommand({
  name: 'top',
  usage: 'URL',
  helpUsage: ['URL [--once | --json] [--interval SECONDS]'],
  summary: 'show live metrics: requests, latencies, errors, sessions, memory',
  description: `
Shows live metrics of a server: requests, latencies, errors, sessions, memory, and its busiest tools. URL is the address that
the server was given with --admin (in code: the option "admin" of serveHttp), or any that serves its metrics. "q" quits.`,
  options: {
    once: { about: 'show the figures of one interval and exit; the default if the output is no terminal' },
    json: { about: 'the same as JSON; times are in seconds' },
    interval: { value: 'SECONDS', about: 'how often to look, from 0.1 to 3600 (default: 2, and 1 with --once)' },
    header: { value: "'NAME: VALUE'", about: 'send a header, such as a key; may be repeated', multiple: true },
  },
  examples: [
    'ccmcp moonphase --http --admin 9464',
    'ccmcp top 127.0.0.1:9464',
    'ccmcp top http://127.0.0.1:9464 --json | jq .requests',
  ],
  exitCodes: '0 done, 1 no metrics could be read, 2 the command line is wrong.',
  complete: () => candidates([]),
  run: async (parsed) => (await import('./top/top.ts')).top(parsed),
});

const completion = defineCommand({
  name: 'completion',
  usage: 'SHELL',
  helpUsage: ['bash|zsh|fish'],
  summary: 'print the script that completes this command in bash, zsh or fish',
  description: `
Prints a completion script for commands, options, ready-made servers, their tools and arguments, and files.

  bash   source <(ccmcp completion bash)     in ~/.bashrc
  zsh    source <(ccmcp completion zsh)      in ~/.zshrc, after compinit
  fish   ccmcp completion fish | source      in ~/.config/fish/config.fish`,
  options: {},
  complete: async (words) =>
    candidates(words.length < 2 ? Object.keys((await import('./completion/scripts.ts')).scripts) : []),
  run: async ({ positionals }) => (await import('./completion/completion.ts')).printScript(positionals),
});

/** `completion` also serves the scripts that it prints: `completion candidates` completes the last word of a line. */
const completionCommand: Command = {
  ...completion,
  async run(args, context) {
    if (args[0] !== 'candidates') return completion.run(args, context);
    return (await import('./completion/completion.ts')).printCandidates(args.slice(1), context);
  },
};

/**
 * Every command of `ccmcp`, in the order of the help. Dispatch, `--help`, completion, hints and docs/command.md come from this
 * table. A folder with several commands defines them in its own `commands.ts`. The code of a command is loaded when it runs.
 */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Your own servers', commands: [newCommand, serveFile, ...publishCommands] },
  { title: 'Many servers as one', commands: gatewayCommands },
  { title: 'An HTTP API as a server', commands: [openapiCommand] },
  { title: 'Any server', commands: [...clientCommands, inspectCommand, ...typesCommands] },
  { title: 'What servers offer, over time', commands: contractCommands },
  { title: 'Recordings', commands: recordCommands },
  { title: 'Logins, for servers that require tokens', commands: loginCommands },
  { title: 'In your AI client (Claude, Cursor, VS Code and others)', commands: installCommands },
  { title: 'Metrics of a server with --admin', commands: [topCommand] },
  { title: 'Audit logs', commands: auditCommands },
  { title: 'Notes', commands: notesCommands },
  { title: 'In your shell', commands: [completionCommand] },
];

/** The same without groups. */
export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
