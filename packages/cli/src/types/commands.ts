import { defineClientCommand } from '../client/define-client-command.ts';
import type { Command } from '../command/command.ts';

/** `ccmcp types`. */
const types = defineClientCommand({
  name: 'types',
  usage: 'TARGET [-o FILE.ts] [--check]',
  summary: 'write TypeScript types of the tools, and a client with them',
  aliases: { codegen: 'types TARGET -o FILE.ts', typegen: 'types TARGET -o FILE.ts' },
  description:
    'write a TypeScript file with the types of the input and output of every tool, and with a client that has a method for ' +
    'each. With --check, compare the file: in CI, it fails if the server has changed',
  examples: ['ccmcp types notes -o notes.ts', 'ccmcp types ./server.js -o server-types.ts --check'],
  options: ['output', 'check'],
  loadSession: () => import('./types.ts'),
});

/** The commands that generate code. */
export const typesCommands: readonly Command[] = [types];
