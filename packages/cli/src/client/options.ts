import { type LogLevel, logLevels } from '@ccmcp/core';
import { type Option, type ParsedOptions, parseOptions, readOptions } from '../command/options.ts';
import { UnknownOptionError, UsageError } from '../command/usage-error.ts';
import { isServerOption, serverOptions } from '../servers/serve-options.ts';
import { type ColourChoice, colourChoices } from '../terminal/print.ts';
import { Failure } from '../command/failure.ts';
import { type ImageChoice, imageChoices } from '../terminal/images.ts';
import { didYouMean } from '../command/suggest.ts';

/** The verbs of `tasks`. */
export const taskVerbs = ['show', 'wait', 'answer', 'cancel'] as const;

export type TaskVerb = (typeof taskVerbs)[number];

/** The parsed options of client commands. */
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
  /** How long `listen` runs. Default: until it is interrupted. */
  listenMs: number;
  /** After how many events `listen` exits. */
  count: number;
  /** `list` shows the tokens that each tool costs a model. */
  tokens: boolean;
  /** `tokens`: descriptions with more tokens count as long. */
  over: number;
  /** `tokens`: the tokens that a result may have for the savings by a budget. */
  budget: number;
  /** Recordings of the inspector whose results are measured. */
  recordings: string[];
  /** The only rules that `check` applies; all if empty. */
  rules: string[];
  /** Rules that `check` leaves out. */
  ignored: string[];
  /** Warnings of `check` fail too. */
  strict: boolean;
  /** The file with questions whose tools `check` looks for. */
  questions?: string;
  /** The file with approved definitions. */
  lock?: string;
  /** The lock that `lock` writes. */
  output?: string;
  /** The name of the target in the lock. */
  as?: string;
  /** The definitions that `lock` takes over. */
  accepted: string[];
  /** `lock` compares and writes nothing. */
  checks: boolean;
  /** How `diff` shows changes. */
  format: (typeof formats)[number];
  /** The least severe kind of change for which `diff` fails. */
  failOn: (typeof failingKinds)[number];
  /** `skills` reads all files and compares them with the list. */
  verify: boolean;
  /** The folder that images, audio and other bytes are saved to. */
  out?: string;
  /** The folders to list when the server asks for roots. */
  roots: string[];
  /** The command that answers in place of a model. */
  sampleWith?: string;
  /** The least severe log message to show. */
  logLevel?: LogLevel;
  /** Scopes to ask for when signing in. */
  scopes: string[];
  /** The client that the authorization server knows us as. */
  clientId?: string;
  /** The port of the redirect URL. */
  callbackPort?: number;
  /** Whether a browser is opened. */
  browser: boolean;
  /** Where the inspector listens. */
  port?: number;
  /** Whether the inspector is opened in a browser. */
  opens: boolean;
  /** The model that answers servers in the inspector. */
  model: ModelArguments;
  /** `logout`: from everything. */
  all: boolean;
  colour: ColourChoice;
  images: ImageChoice;
  pager: boolean;
  /** The idempotency key of a call, which makes it safe to retry. */
  idempotencyKey?: string;
  /** `call` prints the id of a task and exits. */
  detach: boolean;
}

/** The options of a model. */
export interface ModelArguments {
  name?: string;
  service?: (typeof modelServices)[number];
  url?: string;
  /** The variable with the key. */
  keyEnv?: string;
  /** The file with the key. */
  keyFile?: string;
}

/** The parsed command line of a client command. */
export interface ParsedWords {
  options: ClientOptions;
  help: boolean;
  /** The positional words. */
  words: string[];
  /** The words after `--`. */
  command: string[] | undefined;
  /** The flags to start a ready-made server with. */
  serverArgs: string[];
}

/** The values of `--era`. */
export const eras = ['auto', 'handshake', 'stateless'] as const;
/** The values of `--framing`. */
export const framings = ['newline', 'content-length'] as const;

/** The values of `--model-service`. */
export const modelServices = ['anthropic', 'openai'] as const;

/** The values of `--format`. */
export const formats = ['text', 'json', 'junit', 'sarif'] as const;

/** The values of `--fail-on`, the least severe first. */
export const failingKinds = ['wording', 'undecided', 'breaking', 'suspicious'] as const;

/** An option of client commands. */
interface ClientOption extends Option {
  /** All client commands show it in their help. The others name it in their row of the table. All accept it. */
  readonly common?: true;
}

/** The options of client commands. */
export const clientOptions = {
  json: { about: 'one JSON value on stdout; a failure is one JSON object on stderr', common: true },
  header: {
    value: "'NAME: VALUE'",
    about: 'a header for every HTTP request; may be repeated',
    multiple: true,
    common: true,
  },
  env: {
    value: 'NAME=VALUE',
    about: "a variable for the server's environment; may be repeated",
    multiple: true,
    common: true,
  },
  era: {
    value: 'ERA',
    about: 'auto, handshake (with initialize) or stateless (default: auto, which detects it)',
    choices: eras,
    common: true,
  },
  framing: {
    value: 'KIND',
    about: 'how a command separates messages: newline or content-length (default: newline)',
    choices: framings,
    common: true,
  },
  timeout: {
    value: 'SECONDS',
    about: 'how long to wait for a response (default: 60); listen ends after it',
    common: true,
  },
  count: { value: 'N', about: 'end after this many events' },
  tokens: { about: 'show how many tokens each tool costs a model' },
  over: { value: 'N', about: 'how many tokens a description may have before it counts as long (default: 100)' },
  budget: { value: 'N', about: 'how many tokens a result may have, to see what a budget saves (default: 10000)' },
  recording: {
    value: 'FILE',
    about: 'show what the results in this recording of the inspector cost; may be repeated',
    multiple: true,
    completes: 'files',
  },
  rule: { value: 'ID', about: 'apply this rule only; may be repeated', multiple: true },
  ignore: { value: 'ID', about: 'skip this rule; may be repeated', multiple: true },
  strict: { about: 'fail for warnings too' },
  questions: {
    value: 'FILE',
    about: 'questions, with the tools that should be found for each (JSON, YAML, or JSON lines)',
    completes: 'files',
  },
  lock: {
    value: 'FILE',
    about: 'a lock of approved definitions: what differs from it is held back; diff compares with it',
    completes: 'files',
    common: true,
  },
  output: { value: 'FILE', about: 'the lock to write (default: mcp-lock.json)', short: ['o'], completes: 'files' },
  as: { value: 'NAME', about: 'the name of the target in the lock (default: as it is typed)' },
  accept: {
    value: 'NAME',
    about: 'take over only this tool, resource, template or prompt, or "instructions"; may be repeated',
    multiple: true,
  },
  check: { about: 'write nothing; fail if the lock is not up to date' },
  format: { value: 'KIND', about: `${formats.join(', ')} (default: text)`, choices: formats },
  'fail-on': {
    value: 'KIND',
    about: `fail for changes of this kind and worse: ${failingKinds.join(', ')} (default: wording)`,
    choices: failingKinds,
  },
  verify: { about: 'skills: read all files and compare them with the list' },
  out: {
    value: 'DIR',
    about: 'save images, audio and other bytes to a folder; existing files are kept',
    completes: 'folders',
  },
  root: {
    value: 'DIR',
    about: 'a folder to list when the server asks for roots; may be repeated',
    multiple: true,
    completes: 'folders',
    common: true,
  },
  'sample-with': {
    value: 'COMMAND',
    about: 'a command that answers sampling requests: it reads the request as JSON and prints the answer',
  },
  'log-level': {
    value: 'LEVEL',
    about: `the least severe log messages of the server to show: ${logLevels.slice(0, 5).join(', ')} … (default: info)`,
    choices: logLevels,
    common: true,
  },
  'token-env': {
    value: 'NAME',
    about: 'the environment variable with a token to send, as Authorization: Bearer',
    common: true,
  },
  scope: {
    value: 'SCOPE',
    about: 'a scope to request, or several separated by blanks; may be repeated',
    multiple: true,
  },
  'client-id': {
    value: 'ID',
    about: 'a registered client, for authorization servers without client registration',
  },
  'callback-port': {
    value: 'PORT',
    about:
      'the redirect URL is http://127.0.0.1:PORT/callback, where the client was registered with that (default: any port)',
  },
  'no-browser': { about: 'open no browser, only print the address to visit' },
  port: { value: 'PORT', about: 'where the inspector listens, on this machine only (default: a free port)' },
  'no-open': { about: 'open no browser, only print the address of the inspector' },
  model: {
    value: 'NAME',
    about: 'a model that drafts answers to sampling requests in the inspector (default: none)',
  },
  'model-service': {
    value: 'KIND',
    about: `the API of its service: ${modelServices.join(' or ')} (default: by the name of the model)`,
    choices: modelServices,
  },
  'model-url': {
    value: 'URL',
    about: 'the address of its service: https:, or http: on this machine (default: that of Anthropic or OpenAI)',
  },
  'model-key-env': {
    value: 'NAME',
    about: 'the environment variable with the API key; servers that are started do not inherit it',
  },
  'model-key-file': { value: 'FILE', about: 'a file with the API key', completes: 'files' },
  all: { about: 'forget every login' },
  color: {
    value: 'WHEN',
    about: `${colourChoices.join(', ')} (default: auto, on a terminal)`,
    choices: colourChoices,
    common: true,
  },
  images: {
    value: 'WAY',
    about: `how a terminal shows images: ${imageChoices.join(', ')} (default: auto)`,
    choices: imageChoices,
  },
  'no-pager': { about: 'show long lists at once, not page by page' },
  'idempotency-key': { value: 'KEY', about: 'repeated with the same key, a call runs once' },
  detach: { about: 'if the call becomes a task, print its id and exit; continue with "ccmcp tasks"' },
  verbose: { about: "show the messages and the server's stderr, on stderr", common: true },
  help: { about: 'print the usage', short: ['h'], common: true },
} as const satisfies Record<string, ClientOption>;

export type ClientOptionName = keyof typeof clientOptions;

/** The command whose words are parsed. */
interface WordsOf {
  readonly name: string;
  /** The options that are not common to all commands. */
  readonly ownOptions: readonly ClientOptionName[];
  /** The word after a verb such as `wait` is the id of a task, even with a dash in front, and so is any long word. */
  readonly takesTaskId: boolean;
}

/**
 * Parses the command line of a client command. Everything after `--` is a command to run, untouched. No program begins with a
 * dash: after `--`, a word that does is a name, and what follows are arguments, up to another `--`.
 */
export function parseWords(args: readonly string[], of?: WordsOf): ParsedWords {
  const first = args.indexOf('--');
  const hasNames = first !== -1 && args[first + 1] !== '--' && args[first + 1]?.startsWith('-') === true;
  const end = hasNames ? args.indexOf('--', first + 1) : first;
  const own = first === -1 ? args : args.slice(0, first);
  const names = hasNames ? args.slice(first + 1, end === -1 ? undefined : end) : [];
  const { values, positionals, serverArgs } = parse(of?.takesTaskId ? own.map(hideId) : own, of);
  const stray = Object.keys(values).find((name) => `--${name}` in foreignOptions && !isFor(name, of));
  if (stray !== undefined) throw new Failure('usage', noOption(`--${stray}`));
  const command = end === -1 ? undefined : args.slice(end + 1);
  if (command?.length === 0) throw new Failure('usage', 'There is no command after "--"');
  return {
    words: [...positionals.map((word) => word.replace(hidden, '')), ...names],
    command,
    serverArgs,
    help: values.help === true,
    options: {
      json: values.json === true,
      verbose: values.verbose === true,
      headers: { ...bearer(values['token-env']), ...pairs('--header', values.header ?? [], ':') },
      env: pairs('--env', values.env ?? [], '='),
      era: values.era ?? 'auto',
      framing: values.framing ?? 'newline',
      timeoutMs: 1000 * positive('--timeout', values.timeout ?? '60'),
      listenMs: values.timeout === undefined ? Number.POSITIVE_INFINITY : 1000 * positive('--timeout', values.timeout),
      count: values.count === undefined ? Number.POSITIVE_INFINITY : positive('--count', values.count),
      tokens: values.tokens === true,
      over: values.over === undefined ? 100 : positive('--over', values.over),
      budget: values.budget === undefined ? 10_000 : budgetOf(values.budget),
      recordings: values.recording ?? [],
      rules: values.rule ?? [],
      ignored: values.ignore ?? [],
      strict: values.strict === true,
      ...(values.questions !== undefined && { questions: values.questions }),
      ...(values.lock !== undefined && { lock: values.lock }),
      ...(values.output !== undefined && { output: values.output }),
      ...(values.as !== undefined && { as: values.as }),
      accepted: values.accept ?? [],
      checks: values.check === true,
      format: values.format ?? (values.json === true ? 'json' : 'text'),
      failOn: values['fail-on'] ?? 'wording',
      verify: values.verify === true,
      ...(values.out !== undefined && { out: values.out }),
      roots: values.root ?? [],
      ...(values['sample-with'] !== undefined && { sampleWith: values['sample-with'] }),
      ...(values['log-level'] !== undefined && { logLevel: values['log-level'] }),
      scopes: (values.scope ?? []).flatMap((text) => text.split(/\s+/)).filter((scope) => scope !== ''),
      ...(values['client-id'] !== undefined && { clientId: values['client-id'] }),
      ...(values['callback-port'] !== undefined && { callbackPort: port('--callback-port', values['callback-port']) }),
      browser: values['no-browser'] !== true,
      ...(values.port !== undefined && { port: port('--port', values.port) }),
      opens: values['no-open'] !== true,
      model: {
        ...(values.model !== undefined && { name: values.model }),
        ...(values['model-service'] !== undefined && { service: values['model-service'] }),
        ...(values['model-url'] !== undefined && { url: values['model-url'] }),
        ...(values['model-key-env'] !== undefined && { keyEnv: values['model-key-env'] }),
        ...(values['model-key-file'] !== undefined && { keyFile: values['model-key-file'] }),
      },
      all: values.all === true,
      colour: values.color ?? 'auto',
      images: values.images ?? 'auto',
      pager: values['no-pager'] !== true,
      ...(values['idempotency-key'] !== undefined && { idempotencyKey: values['idempotency-key'] }),
      detach: values.detach === true,
    },
  };
}

const hidden = '\u0000';

/** A task id, or a prefix of one, that begins with a dash: other servers may create such ids. */
function hideId(word: string, index: number, words: readonly string[]): string {
  const isNamed = taskVerbs.some((verb) => verb === words[index - 1]) && /^-[\w.~][\w.~-]+$/.test(word);
  const isLong = /^-[\w.~-]{16,}$/.test(word) && !isKnown(word);
  return isNamed || isLong ? `${hidden}${word}` : word;
}

function isKnown(word: string): boolean {
  return Object.hasOwn(clientOptions, word.slice(2)) || isServerOption(word);
}

/** The options that the parser accepts, including those of ready-made servers, which are forwarded to them. */
const knownOptions = { ...serverOptions, ...clientOptions };

interface Parsed extends Pick<ParsedOptions<typeof clientOptions>, 'values' | 'positionals'> {
  serverArgs: string[];
}

function parse(args: readonly string[], of: WordsOf | undefined): Parsed {
  try {
    const { values, positionals } = parseOptions(args, knownOptions);
    const serverArgs = Array.from(readOptions(args, knownOptions)).flatMap((token) => {
      if (token.kind !== 'option' || !Object.hasOwn(serverOptions, token.name)) return [];
      return [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`];
    });
    return { values, positionals, serverArgs };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = error instanceof UnknownOptionError ? explainUnknown(error, of) : error.message;
    throw new Failure('usage', message, { cause: error });
  }
}

function explainUnknown({ option }: UnknownOptionError, of: WordsOf | undefined): string {
  // A group of letters such as -xvf is reported by its first.
  const typed = option.startsWith('--') ? option : option.slice(0, 2);
  if (foreignOptions[typed] !== undefined) return noOption(typed);
  const name = typed.replace(/^-+/, '');
  const known = Object.keys(knownOptions).map((each) => `--${each}`);
  const meant = name.length > 1 ? didYouMean(`--${name}`, known) : '';
  const takesArguments = meant === '' && (of?.name === 'call' || of?.name === 'prompt');
  const isName = !option.startsWith('--');
  const advice = ` An argument is written ${name}=VALUE${isName ? '; a name with a dash in front comes after "--"' : ''}.`;
  return `There is no option ${typed}.${takesArguments ? advice : meant}`;
}

/** True if an option applies to a command. */
function isFor(name: string, of: WordsOf | undefined): boolean {
  const option: ClientOption | undefined = clientOptions[name as ClientOptionName];
  return option?.common === true || of?.ownOptions.some((own) => own === name) === true;
}

/** Explains an unknown option, with the equivalent of an option of another client. */
function noOption(name: string): string {
  return `There is no option ${name}. ${foreignOptions[name] ?? ''}`.trimEnd();
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

/** The header with a token from an environment variable: unlike the command line, other users can't see it. */
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

function positive(option: string, value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0)
    throw new Failure('usage', `${option} must be a number above 0: ${value}`);
  return number;
}

function budgetOf(value: string): number {
  const number = positive('--budget', value);
  if (number < 500) throw new Failure('usage', `--budget must be at least 500 tokens: ${value}`);
  return number;
}

const target = 'Leave it out: the target says it, which is a name, a URL, a file, or a command after "--" at the end.';
const address = 'Give the address as the target, such as 127.0.0.1:8080/mcp.';
const header = "Send it as a header, --header 'Authorization: Bearer …', or name its variable: --token-env NAME.";
const command = 'Requests are commands: list TARGET, call TARGET TOOL key=value, read TARGET URI, prompt TARGET NAME.';

/** Options of other clients, with the equivalent here. */
const foreignOptions: Readonly<Record<string, string>> = {
  '-H': "Write --header 'NAME: VALUE'.",
  '--headers': "Write --header 'NAME: VALUE', once for each.",
  '-e': 'Write --env NAME=VALUE.',
  '-v': 'Write --verbose.',
  '-o': 'Write --json.',
  '--output': 'Write --json.',
  '--format': 'Write --json.',
  '--raw': 'Write --json.',
  '--transport': target,
  '-t': target,
  '--stdio': target,
  '--http': target,
  '--sse': target,
  '--server': target,
  '--command': target,
  '--cli': target,
  '--url': address,
  '--host': address,
  '--port': address,
  '-p': address,
  '--token': header,
  '--bearer': header,
  '--api-key': header,
  '--auth': header,
  '--method': command,
  '--tool': command,
  '--tool-name': command,
  '--tool-arg': 'Arguments of a tool follow its name: key=value, or key:=json.',
  '--args': 'Arguments of a tool follow its name: key=value, key:=json, or all at once as {…}.',
  '--input': 'Arguments of a tool follow its name: key=value, key:=json, or all at once as {…}.',
};
