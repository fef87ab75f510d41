import type { Run } from './context.ts';

/** A command of the client side, as the help tells of it. */
export interface Command {
  /** What follows the command's name. */
  usage: string;
  about: string;
  examples: readonly string[];
}

/** The commands that work on an open client, and can be used in the shell. */
export const commands = {
  list: {
    usage: 'TARGET [tools|resources|templates|prompts … | TOOL]',
    about: 'show what a server offers: tools and prompts as signatures, resources by address',
    examples: ['ccmcp list ccmcp', 'ccmcp list http://127.0.0.1:8080/mcp tools', 'ccmcp list -- npx some-server'],
    load: () => import('./commands/list.ts'),
  },
  show: {
    usage: 'TARGET TOOL',
    about: 'show a tool whole: every argument, what comes back, what it costs a model, an example call; or a prompt',
    examples: ['ccmcp show ccmcp add'],
    load: () => import('./commands/show.ts'),
  },
  call: {
    usage: 'TARGET TOOL [key=value | key:=json …]',
    about:
      "call a tool; values get the types of the tool's schema, := takes JSON as it is, =@FILE what is in a file, =- stdin",
    examples: [
      'ccmcp call ccmcp add a=1 b=2',
      'ccmcp call ./server.js search tags=a tags=b limit:=3',
      'ccmcp call ./server.js summarize text=@report.md',
      'ccmcp call https://example.com/mcp render --detach',
    ],
    load: () => import('./commands/call.ts'),
  },
  read: {
    usage: 'TARGET URI',
    about: 'read a resource; binary contents go out as bytes',
    examples: ['ccmcp read ccmcp help://commands'],
    load: () => import('./commands/read.ts'),
  },
  prompt: {
    usage: 'TARGET NAME [key=value …]',
    about: 'get a prompt and show its messages',
    examples: ['ccmcp prompt ./server.js review code=main.ts'],
    load: () => import('./commands/prompt.ts'),
  },
  complete: {
    usage: 'TARGET PROMPT|TEMPLATE ARGUMENT [START] [key=value …]',
    about: 'show what an argument may be completed to, given the others',
    examples: ['ccmcp complete ./server.js review language py', 'ccmcp complete ./server.js "note:///{id}" id'],
    load: () => import('./commands/complete.ts'),
  },
  skills: {
    usage: 'TARGET [SKILL [FILE]]',
    about: 'list the skills of a server, show one or a file of it; what is read is compared with the list',
    examples: ['ccmcp skills notes', 'ccmcp skills notes meeting-minutes', 'ccmcp skills ./server.js --verify'],
    load: () => import('./commands/skills.ts'),
  },
  tasks: {
    usage: 'TARGET [show|wait|answer|cancel ID [key=value …]]',
    about: 'list your tasks at a server, show one, wait for its result, answer what it asks, or cancel it',
    examples: [
      'ccmcp tasks https://example.com/mcp',
      'ccmcp tasks https://example.com/mcp wait k3Xq',
      'ccmcp tasks https://example.com/mcp answer k3Xq name=Ada',
    ],
    load: () => import('./commands/tasks.ts'),
  },
  listen: {
    usage: 'TARGET [URI …]',
    about: 'show changes as they happen: of the lists, and of the resources at these addresses',
    examples: ['ccmcp listen http://127.0.0.1:8080/mcp', 'ccmcp listen ./server.js note:///1 --count 1'],
    load: () => import('./commands/listen.ts'),
  },
  ping: {
    usage: 'TARGET',
    about: 'ask whether a server is there',
    examples: ['ccmcp ping moonphase'],
    load: () => import('./commands/ping.ts'),
  },
} as const satisfies Record<string, Command & { load(): Promise<{ run: Run }> }>;

/** The commands that open what they need by themselves. */
export const otherCommands = {
  probe: {
    usage: 'TARGET',
    about: 'find out what a server speaks, step by step, and say in words what is wrong',
    examples: ['ccmcp probe https://example.com/mcp', 'ccmcp probe -- node server.js'],
  },
  inspect: {
    usage: '[TARGET …]',
    about: 'see in a browser what servers do: call, watch every message, find out what is wrong',
    examples: ['ccmcp inspect notes', 'ccmcp inspect ./server.js https://example.com/mcp', 'ccmcp inspect --no-open'],
  },
  login: {
    usage: 'URL',
    about: 'sign in to a server that wants it, with a browser, and keep the login for other commands',
    examples: [
      'ccmcp login https://example.com/mcp',
      'ccmcp login https://example.com/mcp --scope "read write" --no-browser',
    ],
  },
  logout: {
    usage: '[URL]',
    about: 'forget the login for a server, or all of them with --all',
    examples: ['ccmcp logout https://example.com/mcp', 'ccmcp logout --all'],
  },
  whoami: {
    usage: '[URL]',
    about: 'show who you are to a server you have signed in to, or to all of them',
    examples: ['ccmcp whoami', 'ccmcp whoami https://example.com/mcp'],
  },
  shell: {
    usage: 'TARGET',
    about: 'talk to a server command by command, with completion',
    examples: ['ccmcp shell ccmcp'],
  },
} as const satisfies Record<string, Command>;

export type OpenCommand = keyof typeof commands;

export function isOpenCommand(name: string): name is OpenCommand {
  return Object.hasOwn(commands, name);
}
