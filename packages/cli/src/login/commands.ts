import type { Command } from '../command/command.ts';
import type { CommandCall } from '../client/context.ts';
import { defineClientCommand } from '../client/define-client-command.ts';

const login = defineClientCommand({
  name: 'login',
  usage: 'URL',
  takesUrl: true,
  summary: 'sign in with a browser; other commands then use the login',
  description: 'sign in to a server with a browser, and store the login for other commands',
  examples: [
    'ccmcp login https://example.com/mcp',
    'ccmcp login https://example.com/mcp --scope "read write" --no-browser',
  ],
  options: ['scope', 'client-id', 'callback-port', 'no-browser'],
  runOnTarget: async (call) => (await import('./login.ts')).login(call),
});

const logout = defineClientCommand({
  name: 'logout',
  usage: '[URL]',
  takesUrl: true,
  summary: 'forget a login, or all of them with --all',
  description: 'forget the login for a server, or all of them with --all',
  examples: ['ccmcp logout https://example.com/mcp', 'ccmcp logout --all'],
  options: ['all'],
  runWithoutTarget: (call) => (namesTarget(call) ? undefined : logoutAll(call)),
  runOnTarget: async (call) => (await import('./stored-logins.ts')).logout(call),
});

const whoami = defineClientCommand({
  name: 'whoami',
  usage: '[URL]',
  takesUrl: true,
  summary: 'show your identity at a server, or at all servers with a login',
  description: 'show your identity at a server, or at all servers with a login',
  examples: ['ccmcp whoami', 'ccmcp whoami https://example.com/mcp'],
  runWithoutTarget: (call) => (namesTarget(call) ? undefined : whoamiAll(call)),
  runOnTarget: async (call) => (await import('./stored-logins.ts')).whoami(call),
});

/** The commands about logins. */
export const loginCommands: readonly Command[] = [login, logout, whoami];

function namesTarget({ words: { words, command } }: CommandCall): boolean {
  return words.length > 0 || command !== undefined;
}

async function logoutAll({ words: { options }, output }: CommandCall): Promise<number> {
  return (await import('./stored-logins.ts')).logoutAll({ options, output });
}

async function whoamiAll({ output }: CommandCall): Promise<number> {
  return (await import('./stored-logins.ts')).whoamiAll({ output });
}
