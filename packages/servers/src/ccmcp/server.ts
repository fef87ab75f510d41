import {
  createServer,
  type LogLevel,
  type Middleware,
  type Operation,
  type Outcome,
  type Prompt,
  prompt,
  ProtocolError,
  type Resource,
  resource,
  type Server,
  stderrLogger,
  text,
  type Tool,
} from '@ccmcp/core';
import { readTools, writeTools } from './file-tools.ts';
import { registrationTools } from './registration-tools.ts';
import { defaultRoots, openSandbox, openSandboxes } from './sandbox.ts';
import { simpleTools } from './simple-tools.ts';

export interface CcmcpOptions {
  /** The folder that the file tools work in. Default: the working directory, and the system's temporary folder. */
  root?: string | undefined;
  /** Omits tools that change files. */
  readOnly?: boolean;
  /** Deletes permanently, instead of moving to a trash inside the root. */
  hard?: boolean;
  /**
   * The minimum level of messages on stderr, and to clients without a chosen level. Default: `info` for stderr, `debug`
   * for clients.
   */
  logLevel?: LogLevel | undefined;
  /** Names of tools of other servers behind the same gateway; registered tools must not look like them. */
  otherTools?: () => Iterable<string>;
}

/** The default server: simple tools, file tools, and tools that are registered at run time. */
export function ccmcpServer(options: CcmcpOptions = {}): Server {
  const { root, readOnly = false, hard = false, logLevel, otherTools = () => [] } = options;
  const usage: Usage = { requests: 0, started: process.uptime() };
  const sandbox = root === undefined ? openSandboxes(defaultRoots()) : openSandbox(root);
  const changing = writeTools(sandbox, { hard });
  const withheld = readOnly ? changing : [];
  const server = createServer({
    name: 'ccmcp',
    version: '0.1.0',
    tools: [...simpleTools, ...readTools(sandbox), ...(readOnly ? [] : changing)],
    prompts,
    logLevel: logLevel ?? 'debug',
    logRejections: true,
    logger: stderrLogger(logLevel ?? 'info'),
  });
  // A withheld name must not be registered for another tool.
  const takenNames = (): Iterable<string> => [...otherTools(), ...withheld.map(({ name }) => name)];
  server.tools.add(...registrationTools(server, takenNames));
  server.resources.add(...resources(server, usage));
  const deferred = { deferHandshake: true };
  return server.use(rejectChanges(withheld), deferred).use(logCalls, deferred).use(countRequests(usage), deferred);
}

function countRequests(usage: Usage): Middleware {
  return (call, next) => {
    if (call.requestId !== undefined) usage.requests += 1;
    return next();
  };
}

/** Explains why a changing tool is missing on a read-only server. */
function rejectChanges(withheld: readonly Tool[]): Middleware {
  const names = new Set(withheld.map(({ name }) => name));
  return (call, next) => {
    const { name } = call.params;
    if (call.method !== 'tools/call' || typeof name !== 'string' || !names.has(name)) return next();
    const text = `This server is read-only: ${name} is not offered. It was started with --read-only; files stay as they are`;
    return { content: [{ type: 'text', text }], isError: true };
  };
}

/** Usage counters. */
interface Usage {
  requests: number;
  /** As `process.uptime()` counts, in seconds: `performance` takes a millisecond to load. */
  started: number;
}

/** The resources of the server. */
function resources(server: Server, usage: Usage): Resource[] {
  const config = resource(
    'config://server',
    { name: 'Server configuration', description: 'Name, version and number of tools', mimeType: 'application/json' },
    () => ({ name: server.info.name, version: server.info.version, toolCount: server.tools.size }),
  );

  const stats = resource(
    'stats://usage',
    { name: 'Usage', description: 'Requests served and time since the start', mimeType: 'text/plain' },
    () => `Requests: ${usage.requests}\nUptime: ${(process.uptime() - usage.started).toFixed(3)} s\n`,
  );

  const help = resource(
    'help://commands',
    { name: 'Commands', description: 'Every tool with its description', mimeType: 'text/plain' },
    () => [...server.tools].map(({ name, description }) => `${name}: ${description ?? ''}\n`).join(''),
  );

  return [config, stats, help];
}

/** Logs calls and errors to clients and stderr. */
export const logCalls: Middleware = (call, next) => {
  if (call.method === 'tools/call') call.log('debug', `Calling tool: ${shortName(call)}`);
  const fail = (error: unknown): never => {
    // Other errors are bugs, whose messages clients must not see.
    call.log('error', `${call.method} failed: ${error instanceof ProtocolError ? error.message : 'unexpected error'}`);
    throw error;
  };
  try {
    const outcome = next();
    return outcome instanceof Promise ? outcome.then((done) => report(call, done), fail) : report(call, outcome);
  } catch (error) {
    return fail(error);
  }
};

function report(call: Operation, outcome: Outcome): Outcome {
  if (call.method === 'initialize') call.log('info', 'Server initialized');
  if ('isError' in outcome && outcome.isError === true) {
    call.log('error', `Tool ${shortName(call)} failed: ${firstText(outcome)}`);
  }
  return outcome;
}

function firstText(outcome: Outcome): string {
  const { content } = outcome as { content?: { text?: string }[] };
  return content?.[0]?.text ?? 'no message';
}

function shortName(call: Operation): string {
  const { name } = call.params;
  return typeof name === 'string' ? name.slice(0, 128) : '(no name)';
}

const greet = prompt(
  'greet',
  { description: 'Greet someone warmly', arguments: { name: { description: 'Name to greet', required: true } } },
  ({ name }) => `Please greet ${name} warmly`,
);

const summarize = prompt(
  'summarize',
  { description: 'Summarize a text', arguments: { text: { description: 'The text', required: true } } },
  (args) => `Please summarize the following text:\n\n${args.text}`,
);

const languages = [
  'C',
  'C++',
  'C#',
  'Go',
  'Java',
  'JavaScript',
  'Kotlin',
  'PHP',
  'Python',
  'Ruby',
  'Rust',
  'Swift',
  'TypeScript',
  'Zig',
];

const codeReview = prompt(
  'code_review',
  {
    description: 'Review code quality',
    arguments: {
      code: { description: 'Code to review', required: true },
      language: { description: 'The language it is written in', complete: languages },
    },
  },
  ({ code, language }) => ({
    description: 'Code review prompt',
    messages: [
      {
        role: 'user',
        content: text(`Please review this ${language === undefined ? '' : `${language} `}code:\n${code}`),
      },
    ],
  }),
);

/** Texts that a person can start a conversation with. */
export const prompts: Prompt[] = [greet, summarize, codeReview];
