import { candidates, type CommandGroup } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';

const top = defineCommand({
  name: 'top',
  usage: 'URL',
  helpUsage: ['URL [--once | --json] [--interval SECONDS]'],
  summary: 'show how it does, live: requests, latencies, errors, sessions, memory',
  description: `
Shows how a server does, live: requests, latencies, errors, sessions, memory, and its busiest tools. URL is the address that
the server was given with --admin (in code: the option "admin" of serveHttp), or any that serves its metrics. "q" quits.`,
  options: {
    once: { about: 'show the figures of one interval and exit; the default where the output is no terminal' },
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
  run: async (parsed) => (await import('./top.ts')).top(parsed),
});

/** The command that watches a server. */
export const topCommands: CommandGroup = { title: 'Of a server that runs with --admin', commands: [top] };
