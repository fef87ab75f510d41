import { candidates, type Command } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';
import { UsageError } from '../command/usage-error.ts';

const filesDescription =
  'With one FILE, its rotated files FILE.1, FILE.2 and so on are read too. With several, the oldest comes first.';
const verifyUsage = 'FILE… [--expect HASH] [--key-env NAME] [--json]';
const showUsage = 'FILE… [--tool NAME] [--caller NAME] [--outcome OUTCOME] [--json]';
const completeFiles = () => candidates([], 'files');

const audit = defineCommand({
  name: 'audit',
  usage: 'verify|show FILE …',
  helpUsage: [`verify ${verifyUsage}`, `show ${showUsage}`],
  summary: 'read audit logs',
  hidden: true,
  description: 'Reads audit logs, which servers write with --audit FILE. Each of the two has its own --help.',
  options: {},
  complete: () => candidates(['verify', 'show']),
  run: () => Promise.reject(new UsageError('audit needs verify or show')),
});

const verify = defineCommand({
  name: 'audit verify',
  usage: 'FILE …',
  briefUsage: 'FILE',
  helpUsage: [verifyUsage],
  summary: 'verify that a log written with --audit was not changed',
  description: `
Reports which lines of an audit log were changed, removed, inserted or moved since they were written, and the hash of the last
line. A log that was cut off at the end looks complete: note that hash elsewhere, and give it later with --expect.

${filesDescription}`,
  options: {
    expect: { value: 'HASH', about: 'the hash of a line that must be there', dashValue: /^-[\w-]{42}$/ },
    'key-env': { value: 'NAME', about: 'the environment variable with the key that the lines were sealed with' },
    json: { about: 'print JSON' },
  },
  exitCodes: "0 unchanged, 1 changed, or can't be read, 2 the command line is wrong.",
  complete: completeFiles,
  run: async (parsed) => (await import('./audit.ts')).verify(parsed),
});

const show = defineCommand({
  name: 'audit show',
  usage: 'FILE …',
  briefUsage: 'FILE',
  helpUsage: [showUsage],
  summary: 'show the calls in a log, by tool or caller',
  description: `Shows the calls in an audit log, one per line.\n\n${filesDescription}`,
  options: {
    tool: { value: 'NAME', about: 'only calls with this name or address: a tool, prompt or resource' },
    caller: { value: 'NAME', about: 'only calls of this caller' },
    outcome: {
      value: 'OUTCOME',
      about: 'only calls with this outcome: ok, asked, tool-error, error, refused or cancelled',
      choices: ['ok', 'asked', 'tool-error', 'error', 'refused', 'cancelled'],
    },
    json: { about: 'print JSON' },
  },
  complete: completeFiles,
  run: async (parsed) => (await import('./audit.ts')).show(parsed),
});

/** The commands that read audit logs. */
export const auditCommands: readonly Command[] = [audit, verify, show];
