import { defineClientCommand } from '../client/define-client-command.ts';
import type { CommandCall } from '../client/context.ts';
import type { Command } from '../command/command.ts';

/** `ccmcp types`. */
const types = defineClientCommand({
  name: 'types',
  usage: '[TARGET] [-o FILE.ts] [--check]',
  briefUsage: 'TARGET',
  summary: 'write TypeScript types of the tools, and a client with them',
  aliases: { codegen: 'types TARGET -o FILE.ts', typegen: 'types TARGET -o FILE.ts' },
  description:
    'write a TypeScript file with the types of the input and output of every tool, and with a client that has a method for ' +
    'each. With --check, compare the file: in CI, it fails if the server has changed. With --lock and no target, the server in the lock',
  examples: [
    'ccmcp types notes -o notes.ts',
    'ccmcp types ./server.js -o server-types.ts --check',
    'ccmcp types --lock mcp-lock.json --as notes -o notes.ts',
  ],
  options: ['output', 'check', 'as'],
  runWithoutTarget: (call) => (readsLock(call) ? runOnLock(call) : undefined),
  loadSession: () => import('./types.ts'),
});

function readsLock({ words: { words, command, options } }: CommandCall): boolean {
  return words.length === 0 && command === undefined && options.lock !== undefined;
}

async function runOnLock(call: CommandCall): Promise<number> {
  return (await import('./types.ts')).runOnLock(call);
}

/** The commands that generate code. */
export const typesCommands: readonly Command[] = [types];
