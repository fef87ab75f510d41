import { defineClientCommand } from '../client/define-client-command.ts';
import { candidates, type Command } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';
import { UsageError } from '../command/usage-error.ts';

/** `ccmcp record`. */
const record = defineClientCommand({
  name: 'record',
  usage: 'TARGET -o FILE',
  summary: 'record what a client and a server say to each other',
  aliases: { proxy: 'record TARGET -o FILE', sniff: 'record TARGET -o FILE' },
  description:
    'record every message between a client and a server into a file, secrets masked. It is a server itself, on stdio or ' +
    'with --http: give its command line or its address to the client',
  examples: [
    'ccmcp record notes -o session.jsonl',
    'ccmcp record -o session.jsonl -- python server.py',
    'ccmcp record https://example.com/mcp --http 8080 -o session.jsonl',
  ],
  options: ['output', 'http', 'keep-secrets'],
  exitKinds: ['usage', 'unreachable', 'interrupted'],
  runOnTarget: async (call) => (await import('./record.ts')).record(call),
});

/** `ccmcp replay`. */
const replay = defineCommand({
  name: 'replay',
  usage: 'FILE',
  helpUsage: ['FILE [--strict] [--http [[HOST:]PORT]]'],
  summary: 'serve what was recorded, without the server',
  aliases: { mock: 'replay FILE', playback: 'replay FILE' },
  description: `
Serves a recording of "ccmcp record" or of the inspector, on stdio or with --http. A request is answered as an equal one was
recorded; the n-th of several gets the n-th answer, further ones the last. One that was not recorded gets an error.`,
  options: {
    strict: { about: 'accept the recorded requests only in their order' },
    http: {
      value: '[[HOST:]PORT]',
      about: 'serve over HTTP at /mcp, on this machine only (default: 127.0.0.1, port 8080)',
      optionalValue: /^(?:\S+:)?\d+$/,
    },
  },
  examples: ['ccmcp replay session.jsonl', 'ccmcp replay session.jsonl --http 8080 --strict'],
  exitCodes: '0 done, 2 the command line or the file is wrong, 130 interrupted.',
  complete: (words) => candidates([], words.length < 2 ? 'files' : 'none'),
  async run({ values, positionals }) {
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError('replay takes one file');
    const { strict = false, http } = values;
    return (await import('./replay.ts')).replay({ file, strict, http });
  },
});

/** The commands of recordings. */
export const recordCommands: readonly Command[] = [record, replay];
