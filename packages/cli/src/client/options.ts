import { parseArgs } from 'node:util';
import { type LogLevel, logLevels } from '@ccmcp/core';
import { serverFlags } from '../serve/serve-options.ts';
import { type ColourChoice, colourChoices } from '../terminal/colour.ts';
import { Failure } from '../command/failure.ts';
import { type ImageChoice, imageChoices } from '../terminal/images/protocols.ts';
import { optionsOfOthers } from './migration-hints.ts';
import { didYouMean } from '../command/suggest.ts';

/** What can be done with a task. */
export const taskVerbs = ['show', 'wait', 'answer', 'cancel'] as const;

export type TaskVerb = (typeof taskVerbs)[number];

/** What every command of the client side understands. */
export interface ClientOptions {
  /** One JSON value on stdout, and failures as one JSON object on stderr. */
  json: boolean;
  /** Shows the messages, and the server's stderr. */
  verbose: boolean;
  headers: Record<string, string>;
  env: Record<string, string>;
  era: (typeof eras)[number];
  framing: (typeof framings)[number];
  timeoutMs: number;
  /** For how long `listen` listens: without end, unless --timeout is given. */
  listenMs: number;
  /** After how many events `listen` ends. */
  count: number;
  /** `list` says of each tool what it costs a model. */
  tokens: boolean;
  /** `skills` reads all files and compares them with the list. */
  verify: boolean;
  /** The folder that images, audio and other bytes are saved to. */
  out?: string;
  /** The folders that the server is told of when it asks for them. */
  roots: string[];
  /** The command that answers in place of a model. */
  sampleWith?: string;
  /** The least severe log message that is wanted. */
  logLevel?: LogLevel;
  /** Scopes to ask for when signing in. */
  scopes: string[];
  /** The client that the authorization server knows us as. */
  clientId?: string;
  /** Where the browser comes back to. */
  callbackPort?: number;
  /** Whether a browser is opened. */
  browser: boolean;
  /** Where the inspector listens. */
  port?: number;
  /** Whether the inspector is opened in a browser. */
  opens: boolean;
  /** The model that answers what servers ask through the inspector, as it was said. */
  model: ModelWords;
  /** `logout`: from everything. */
  all: boolean;
  colour: ColourChoice;
  images: ImageChoice;
  pager: boolean;
  /** By which a call is known that may be sent again. */
  idempotencyKey?: string;
  /** `call` leaves a task to the server, and says how to come back to it. */
  detach: boolean;
}

/** What a command line says of a model. */
export interface ModelWords {
  name?: string;
  service?: (typeof modelServices)[number];
  url?: string;
  /** The variable with the key. */
  keyEnv?: string;
  /** The file with the key. */
  keyFile?: string;
}

/** A command line of the client side, taken apart. */
export interface Words {
  options: ClientOptions;
  help: boolean;
  /** What is neither an option nor part of a command after `--`. */
  words: string[];
  /** What stands after `--`. */
  command: string[] | undefined;
  /** Flags that a ready-made server is to be started with. */
  serverArgs: string[];
}

/** The eras that a server may be spoken to in. */
export const eras = ['auto', 'handshake', 'stateless'] as const;
/** The ways of a command to tell messages apart. */
export const framings = ['newline', 'content-length'] as const;

/** The ways in which services that have models are spoken to. */
export const modelServices = ['anthropic', 'openai'] as const;

/** The options, as parseArgs knows them and as the help tells of them. */
export const optionTexts = {
  json: { type: 'boolean', shows: '--json', about: 'one JSON value on stdout; a failure is one JSON object on stderr' },
  header: {
    type: 'string',
    shows: "--header 'NAME: VALUE'",
    about: 'a header for every HTTP request; may be repeated',
    repeated: true,
  },
  env: {
    type: 'string',
    shows: '--env NAME=VALUE',
    about: "more for the server's environment; may be repeated",
    repeated: true,
  },
  era: {
    type: 'string',
    shows: '--era ERA',
    about: 'auto, handshake (with initialize) or stateless (default: auto, which finds out)',
  },
  framing: {
    type: 'string',
    shows: '--framing KIND',
    about: 'how a command tells messages apart: newline or content-length (default: newline)',
  },
  timeout: {
    type: 'string',
    shows: '--timeout SECONDS',
    about: 'how long to wait for an answer (default: 60); listen ends after it',
  },
  count: { type: 'string', shows: '--count N', about: 'end after so many events', for: ['listen'] },
  tokens: {
    type: 'boolean',
    shows: '--tokens',
    about: 'say of each tool how many tokens it costs a model',
    for: ['list', 'shell'],
  },
  verify: {
    type: 'boolean',
    shows: '--verify',
    about: 'skills: read all files and compare them with what the list tells',
    for: ['skills', 'shell'],
  },
  out: {
    type: 'string',
    shows: '--out DIR',
    about: 'save images, audio and other bytes to a folder; nothing there is written over',
    for: ['call', 'read', 'prompt', 'tasks', 'shell'],
  },
  root: {
    type: 'string',
    shows: '--root DIR',
    about: 'a folder that the server is told of when it asks for roots; may be repeated',
    repeated: true,
  },
  'sample-with': {
    type: 'string',
    shows: '--sample-with COMMAND',
    about: 'what answers for a model: it reads the request as JSON and prints the answer',
    for: ['call', 'read', 'prompt', 'tasks', 'shell'],
  },
  'log-level': {
    type: 'string',
    shows: '--log-level LEVEL',
    about: `the least severe log message of the server that is shown: ${logLevels.slice(0, 5).join(', ')} … (default: info)`,
  },
  'token-env': {
    type: 'string',
    shows: '--token-env NAME',
    about: 'the environment variable with the token that is sent, as Authorization: Bearer',
  },
  scope: {
    type: 'string',
    shows: '--scope SCOPE',
    about: 'a scope to ask for, or several with blanks between them; may be repeated',
    repeated: true,
    for: ['login'],
  },
  'client-id': {
    type: 'string',
    shows: '--client-id ID',
    about: 'the client that the authorization server knows, where none can register itself',
    for: ['login'],
  },
  'callback-port': {
    type: 'string',
    shows: '--callback-port PORT',
    about: 'come back to http://127.0.0.1:PORT/callback, where the client was registered with that (default: any port)',
    for: ['login'],
  },
  'no-browser': {
    type: 'boolean',
    shows: '--no-browser',
    about: 'open no browser, only print the address to visit',
    for: ['login'],
  },
  port: {
    type: 'string',
    shows: '--port PORT',
    about: 'where the inspector listens, on this machine only (default: a free port)',
    for: ['inspect'],
  },
  'no-open': {
    type: 'boolean',
    shows: '--no-open',
    about: 'open no browser, only print the address of the inspector',
    for: ['inspect'],
  },
  model: {
    type: 'string',
    shows: '--model NAME',
    about: 'a model that answers what servers ask, when you say so in the inspector (default: none)',
    for: ['inspect'],
  },
  'model-service': {
    type: 'string',
    shows: '--model-service KIND',
    about: `how its service is spoken to: ${modelServices.join(' or ')} (default: by the name of the model)`,
    for: ['inspect'],
  },
  'model-url': {
    type: 'string',
    shows: '--model-url URL',
    about: 'the address of its service: https:, or http: on this machine (default: that of Anthropic or OpenAI)',
    for: ['inspect'],
  },
  'model-key-env': {
    type: 'string',
    shows: '--model-key-env NAME',
    about: 'the environment variable with the key of its service; started servers do not get it',
    for: ['inspect'],
  },
  'model-key-file': {
    type: 'string',
    shows: '--model-key-file FILE',
    about: 'the file with that key',
    for: ['inspect'],
  },
  all: { type: 'boolean', shows: '--all', about: 'forget every login', for: ['logout'] },
  color: { type: 'string', shows: '--color WHEN', about: `${colourChoices.join(', ')} (default: auto, on a terminal)` },
  images: {
    type: 'string',
    shows: '--images WAY',
    about: `how a terminal shows images: ${imageChoices.join(', ')} (default: auto)`,
    for: ['call', 'read', 'prompt', 'tasks', 'shell'],
  },
  'no-pager': {
    type: 'boolean',
    shows: '--no-pager',
    about: 'show long lists at once, not page by page',
    for: ['list', 'shell'],
  },
  'idempotency-key': {
    type: 'string',
    shows: '--idempotency-key KEY',
    about: 'sent again with the same key, the call is served once',
    for: ['call'],
  },
  detach: {
    type: 'boolean',
    shows: '--detach',
    about: 'where the server makes a task of it, print its id and leave; "ccmcp tasks" comes back to it',
    for: ['call'],
  },
  verbose: { type: 'boolean', shows: '--verbose', about: "show the messages and the server's stderr, on stderr" },
  help: { type: 'boolean', shows: '--help', about: 'print how the command is used' },
} as const satisfies Record<string, OptionText>;

/** An option, as parseArgs knows it and as the help tells of it. */
interface OptionText {
  type: 'string' | 'boolean';
  shows: string;
  about: string;
  repeated?: true;
  /** The commands where it means something. Default: all. */
  for?: readonly string[];
}

type Known = {
  [K in keyof typeof optionTexts]: {
    type: (typeof optionTexts)[K]['type'];
    multiple: (typeof optionTexts)[K] extends { repeated: true } ? true : false;
  };
};

/**
 * Takes a command line of the client side apart. Everything after `--` is a command to run, untouched. `ids`: the word
 * after what is to be done with a task is its id, also where it begins with a dash, as may any long word. `of`: the command whose words they are.
 */
export function parseWords(args: readonly string[], { ids = false, of }: { ids?: boolean; of?: string } = {}): Words {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const { values, positionals, serverArgs } = parse(ids ? own.map(hideId) : own, of);
  const stray = Object.keys(values).find((name) => `--${name}` in optionsOfOthers && !isFor(name, of));
  if (stray !== undefined) throw new Failure('usage', noOption(`--${stray}`));
  const command = end === -1 ? undefined : args.slice(end + 1);
  if (command?.length === 0) throw new Failure('usage', 'There is no command after "--"');
  return {
    words: positionals.map((word) => word.replace(hidden, '')),
    command,
    serverArgs,
    help: values.help === true,
    options: {
      json: values.json === true,
      verbose: values.verbose === true,
      headers: { ...bearer(values['token-env']), ...pairs('--header', values.header ?? [], ':') },
      env: pairs('--env', values.env ?? [], '='),
      era: oneOf('--era', values.era ?? 'auto', eras),
      framing: oneOf('--framing', values.framing ?? 'newline', framings),
      timeoutMs: 1000 * positive('--timeout', values.timeout ?? '60'),
      listenMs: values.timeout === undefined ? Number.POSITIVE_INFINITY : 1000 * positive('--timeout', values.timeout),
      count: values.count === undefined ? Number.POSITIVE_INFINITY : positive('--count', values.count),
      tokens: values.tokens === true,
      verify: values.verify === true,
      ...(values.out !== undefined && { out: values.out }),
      roots: values.root ?? [],
      ...(values['sample-with'] !== undefined && { sampleWith: values['sample-with'] }),
      ...(values['log-level'] !== undefined && { logLevel: oneOf('--log-level', values['log-level'], logLevels) }),
      scopes: (values.scope ?? []).flatMap((text) => text.split(/\s+/)).filter((scope) => scope !== ''),
      ...(values['client-id'] !== undefined && { clientId: values['client-id'] }),
      ...(values['callback-port'] !== undefined && { callbackPort: port('--callback-port', values['callback-port']) }),
      browser: values['no-browser'] !== true,
      ...(values.port !== undefined && { port: port('--port', values.port) }),
      opens: values['no-open'] !== true,
      model: {
        ...(values.model !== undefined && { name: values.model }),
        ...(values['model-service'] !== undefined && {
          service: oneOf('--model-service', values['model-service'], modelServices),
        }),
        ...(values['model-url'] !== undefined && { url: values['model-url'] }),
        ...(values['model-key-env'] !== undefined && { keyEnv: values['model-key-env'] }),
        ...(values['model-key-file'] !== undefined && { keyFile: values['model-key-file'] }),
      },
      all: values.all === true,
      colour: oneOf('--color', values.color ?? 'auto', colourChoices),
      images: oneOf('--images', values.images ?? 'auto', imageChoices),
      pager: values['no-pager'] !== true,
      ...(values['idempotency-key'] !== undefined && { idempotencyKey: values['idempotency-key'] }),
      detach: values.detach === true,
    },
  };
}

const hidden = '\u0000';

/** An id, or the beginning of one, that begins with a dash: servers of others make such. */
function hideId(word: string, index: number, words: readonly string[]): string {
  const isNamed = taskVerbs.some((verb) => verb === words[index - 1]) && /^-[\w.~][\w.~-]+$/.test(word);
  const isLong = /^-[\w.~-]{16,}$/.test(word) && !isKnown(word);
  return isNamed || isLong ? `${hidden}${word}` : word;
}

function isKnown(word: string): boolean {
  return Object.hasOwn(optionTexts, word.slice(2)) || serverFlags.has(word);
}

function parse(args: readonly string[], of: string | undefined) {
  const ofServers = Object.fromEntries([...serverFlags].map(([name, type]) => [name.slice(2), { type }]));
  const ours = Object.entries(optionTexts).map(([name, text]) => {
    return [name, { type: text.type, multiple: 'repeated' in text }];
  });
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options: { ...ofServers, ...(Object.fromEntries(ours) as Known), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      tokens: true,
    });
    const serverArgs = tokens.flatMap((token) => {
      if (token.kind !== 'option' || !serverFlags.has(token.rawName)) return [];
      return [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`];
    });
    return { values, positionals, serverArgs };
  } catch (error) {
    throw new Failure('usage', mistake(error as Error, of));
  }
}

/** What parseArgs complains of, in one sentence. */
function mistake(error: Error, of: string | undefined): string {
  const unknown = /^Unknown option '(-+)([^']+)'/.exec(error.message);
  if (unknown === null) return error.message.replace(/\.? To specify .*$/s, '');
  const [, dashes = '', name = ''] = unknown;
  if (optionsOfOthers[`${dashes}${name}`] !== undefined) return noOption(`${dashes}${name}`);
  const known = [...Object.keys(optionTexts).map((each) => `--${each}`), ...serverFlags.keys()];
  const meant = name.length > 1 ? didYouMean(`--${name}`, known) : '';
  const takesArguments = meant === '' && (of === 'call' || of === 'prompt');
  return `There is no option ${dashes}${name}.${takesArguments ? ` An argument is written ${name}=VALUE.` : meant}`;
}

/** True where an option means something to a command. */
function isFor(option: string, command: string | undefined): boolean {
  const { for: commands }: Partial<OptionText> = optionTexts[option as keyof typeof optionTexts] ?? {};
  return commands === undefined || (command !== undefined && commands.includes(command));
}

/** Says that there is no such option here, and what to write in place of what other clients call so. */
function noOption(name: string): string {
  return `There is no option ${name}. ${optionsOfOthers[name] ?? ''}`.trimEnd();
}

function pairs(option: string, texts: readonly string[], separator: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at < 1) throw new Failure('usage', `${option} must be NAME${separator}VALUE`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

/** The header with a token that stands in a variable: unlike one on the command line, nobody else sees it there. */
function bearer(variable: string | undefined): Record<string, string> {
  if (variable === undefined) return {};
  const token = process.env[variable]?.trim() ?? '';
  if (token === '') throw new Failure('usage', `--token-env: there is no variable ${variable}, or nothing in it`);
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Failure('usage', `--token-env: what is in ${variable} is no token`);
  return { Authorization: `Bearer ${token}` };
}

function port(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new Failure('usage', `${option} must be a number from 1 to 65535: ${text}`);
  }
  return number;
}

function oneOf<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw new Failure('usage', `${option} must be one of ${choices.join(', ')}: ${value}`);
  return choice;
}

function positive(option: string, value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0)
    throw new Failure('usage', `${option} must be a number above 0: ${value}`);
  return number;
}
