import type { Command } from '../command/command.ts';
import { defineClientCommand } from './define-client-command.ts';

const list = defineClientCommand({
  name: 'list',
  usage: 'TARGET [tools|resources|templates|prompts … | TOOL]',
  summary: 'show what a server offers',
  aliases: {
    tools: 'list TARGET tools',
    resources: 'list TARGET resources',
    prompts: 'list TARGET prompts',
    ls: 'list TARGET',
    discover: 'list TARGET',
  },
  description: 'show what a server offers: tools and prompts as signatures, resources by address',
  examples: ['ccmcp list ccmcp', 'ccmcp list http://127.0.0.1:8080/mcp tools', 'ccmcp list -- npx some-server'],
  options: ['tokens', 'no-pager'],
  loadSession: () => import('./commands/list.ts'),
});

const show = defineClientCommand({
  name: 'show',
  usage: 'TARGET TOOL',
  summary: 'show a tool in full: arguments, result, an example call',
  description: 'show a tool in full: arguments, result, token estimate, an example call; or a prompt',
  examples: ['ccmcp show ccmcp add'],
  loadSession: () => import('./commands/show.ts'),
});

const call = defineClientCommand({
  name: 'call',
  usage: 'TARGET TOOL [key=value | key:=json …]',
  summary: 'call a tool',
  aliases: { exec: 'call TARGET TOOL', invoke: 'call TARGET TOOL', tool: 'call TARGET TOOL' },
  description:
    "call a tool; values get the types of the tool's schema, := takes JSON as it is, =@FILE what is in a file, =- stdin",
  examples: [
    'ccmcp call ccmcp add a=1 b=2',
    'ccmcp call ./server.js search tags=a tags=b limit:=3',
    'ccmcp call ./server.js summarize text=@report.md',
    'ccmcp call https://example.com/mcp render --detach',
  ],
  options: ['out', 'sample-with', 'images', 'idempotency-key', 'detach'],
  loadSession: () => import('./commands/call.ts'),
});

const read = defineClientCommand({
  name: 'read',
  usage: 'TARGET URI',
  summary: 'read a resource',
  aliases: { get: 'read TARGET URI' },
  description: 'read a resource; binary contents go out as bytes',
  examples: ['ccmcp read ccmcp help://commands'],
  options: ['out', 'sample-with', 'images'],
  loadSession: () => import('./commands/read.ts'),
});

const prompt = defineClientCommand({
  name: 'prompt',
  usage: 'TARGET NAME [key=value …]',
  summary: 'get a prompt',
  description: 'get a prompt and show its messages',
  examples: ['ccmcp prompt ./server.js review code=main.ts'],
  options: ['out', 'sample-with', 'images'],
  loadSession: () => import('./commands/prompt.ts'),
});

const complete = defineClientCommand({
  name: 'complete',
  usage: 'TARGET PROMPT|TEMPLATE ARGUMENT [START] [key=value …]',
  briefUsage: 'TARGET …',
  summary: 'complete an argument',
  description: 'complete an argument, given the others',
  examples: ['ccmcp complete ./server.js review language py', 'ccmcp complete ./server.js "note:///{id}" id'],
  loadSession: () => import('./commands/complete.ts'),
});

const skills = defineClientCommand({
  name: 'skills',
  usage: 'TARGET [SKILL [FILE]]',
  summary: 'list the skills of a server, show or verify them',
  description: 'list the skills of a server, show one or a file of it; contents are compared with the list',
  examples: ['ccmcp skills notes', 'ccmcp skills notes meeting-minutes', 'ccmcp skills ./server.js --verify'],
  options: ['verify'],
  loadSession: () => import('./commands/skills.ts'),
});

const tasks = defineClientCommand({
  name: 'tasks',
  usage: 'TARGET [show|wait|answer|cancel ID [key=value …]]',
  summary: 'list your tasks at a server; show, await, answer or cancel one',
  description: 'list your tasks at a server, show one, wait for its result, answer its questions, or cancel it',
  examples: [
    'ccmcp tasks https://example.com/mcp',
    'ccmcp tasks https://example.com/mcp wait k3Xq',
    'ccmcp tasks https://example.com/mcp answer k3Xq name=Ada',
  ],
  options: ['out', 'sample-with', 'images'],
  takesTaskId: true,
  loadSession: () => import('./commands/tasks.ts'),
});

const listen = defineClientCommand({
  name: 'listen',
  usage: 'TARGET [URI …]',
  summary: 'show changes as they happen',
  aliases: { subscribe: 'listen TARGET URI' },
  description: 'show changes as they happen: of the lists, and of the resources at these addresses',
  examples: ['ccmcp listen http://127.0.0.1:8080/mcp', 'ccmcp listen ./server.js note:///1 --count 1'],
  options: ['count'],
  loadSession: () => import('./commands/listen.ts'),
});

const ping = defineClientCommand({
  name: 'ping',
  usage: 'TARGET',
  summary: 'check that a server responds',
  description: 'check that a server responds',
  examples: ['ccmcp ping moonphase'],
  loadSession: () => import('./commands/ping.ts'),
});

const probe = defineClientCommand({
  name: 'probe',
  usage: 'TARGET',
  summary: 'diagnose a server: versions, features, problems',
  aliases: { test: 'probe TARGET' },
  description: 'diagnose a server step by step: versions, features, and problems with advice',
  examples: ['ccmcp probe https://example.com/mcp', 'ccmcp probe -- node server.js'],
  runOnTarget: async (call) => (await import('./commands/probe.ts')).probe(call),
});

const tokens = defineClientCommand({
  name: 'tokens',
  usage: '[TARGET …]',
  briefUsage: 'TARGET…',
  summary: 'estimate how many tokens servers cost a model, per tool, and how to save some',
  aliases: { cost: 'tokens TARGET', budget: 'tokens TARGET' },
  description: 'estimate how many tokens servers cost a model in each conversation, per tool, and how to save some',
  examples: [
    'ccmcp tokens notes',
    'ccmcp tokens ./server.js cursor:github --over 50',
    'ccmcp tokens --recording .ccmcp/recordings/today.ndjson',
  ],
  options: ['over', 'budget', 'recording'],
  exitKinds: ['usage', 'unreachable', 'unauthorized', 'refused', 'timeout'],
  runWithoutTarget: async (call) => (await import('./commands/tokens.ts')).tokens(call),
});

const check = defineClientCommand({
  name: 'check',
  usage: 'TARGET …',
  briefUsage: 'TARGET…',
  summary: 'find problems that models and clients have with the tools of servers',
  aliases: { lint: 'check TARGET', validate: 'check TARGET' },
  description:
    'find problems that models and clients have with the tools of servers: descriptions, names, schemas, annotations, size',
  examples: [
    'ccmcp check ./server.js',
    'ccmcp check ./server.js --strict --ignore tool-size',
    'ccmcp check notes moonphase --questions questions.yaml',
  ],
  exitKinds: ['usage', 'unreachable', 'unauthorized', 'refused', 'timeout', 'findings'],
  options: ['rule', 'ignore', 'strict', 'questions'],
  runWithoutTarget: async (call) => (await import('./commands/check.ts')).check(call),
});

const shell = defineClientCommand({
  name: 'shell',
  usage: 'TARGET',
  summary: 'run several commands on one connection',
  aliases: { connect: 'shell TARGET', repl: 'shell TARGET' },
  description: 'run several commands on one connection, with completion',
  examples: ['ccmcp shell ccmcp'],
  options: ['tokens', 'verify', 'out', 'sample-with', 'images', 'no-pager'],
  loadSession: () => import('./shell/shell.ts'),
});

/** The commands that use any server. */
export const clientCommands: readonly Command[] = [
  list,
  show,
  call,
  read,
  prompt,
  complete,
  skills,
  tasks,
  listen,
  ping,
  probe,
  tokens,
  check,
  shell,
];
