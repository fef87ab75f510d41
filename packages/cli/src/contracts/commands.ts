import { defineClientCommand } from '../client/define-client-command.ts';
import type { Command } from '../command/command.ts';

const lock = defineClientCommand({
  name: 'lock',
  usage: '[TARGET …]',
  briefUsage: 'TARGET…',
  summary: 'write down what servers offer, to see and to stop later changes',
  aliases: { pin: 'lock TARGET', approve: 'lock TARGET', snapshot: 'lock TARGET' },
  description:
    'write down the definitions of servers in mcp-lock.json; of an existing file, only the named targets are replaced',
  examples: [
    'ccmcp lock notes https://example.com/mcp',
    'ccmcp lock --as github -- npx some-server',
    'ccmcp lock notes --accept add_note',
    'ccmcp lock --check',
  ],
  exitKinds: ['usage', 'unreachable', 'unauthorized', 'refused', 'timeout', 'findings'],
  options: ['output', 'as', 'accept', 'check'],
  runWithoutTarget: async (call) => (await import('./lock.ts')).lock(call),
});

const diff = defineClientCommand({
  name: 'diff',
  usage: '[TARGET [TARGET]]',
  briefUsage: '[TARGET]',
  summary: 'compare what servers offer with a lock, or two servers or locks',
  aliases: { compare: 'diff TARGET TARGET', drift: 'diff', breaking: 'diff TARGET' },
  description:
    'compare what servers offer with mcp-lock.json, or two targets with each other; a target may be a lock too, such as old.json',
  examples: [
    'ccmcp diff',
    'ccmcp diff ./server.js --fail-on breaking',
    'ccmcp diff old-lock.json mcp-lock.json',
    'ccmcp diff --format sarif > changes.sarif',
  ],
  exitKinds: [
    'usage',
    'unreachable',
    'unauthorized',
    'refused',
    'timeout',
    'wording',
    'undecided',
    'breaking',
    'suspicious',
  ],
  options: ['as', 'format', 'fail-on'],
  runWithoutTarget: async (call) => (await import('./diff.ts')).diff(call),
});

/** The commands for the definitions of servers over time. */
export const contractCommands: readonly Command[] = [lock, diff];
