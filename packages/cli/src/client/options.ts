import { parseArgs } from 'node:util';
import { Failure } from './failure.ts';
import { didYouMean } from './suggest.ts';

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
  /** After how many events `listen` ends. */
  count: number;
}

/** A command line of the client side, taken apart. */
export interface Words {
  options: ClientOptions;
  help: boolean;
  /** What is neither an option nor part of a command after `--`. */
  words: string[];
  /** What stands after `--`. */
  command: string[] | undefined;
}

const eras = ['auto', 'handshake', 'stateless'] as const;
const framings = ['newline', 'content-length'] as const;

/** The options, as parseArgs knows them and as the help tells of them. */
export const optionTexts = {
  json: { type: 'boolean', shows: '--json', about: 'one JSON value on stdout; a failure is one JSON object on stderr' },
  header: {
    type: 'string',
    shows: "--header 'NAME: VALUE'",
    about: 'a header for every HTTP request; may be repeated',
  },
  env: { type: 'string', shows: '--env NAME=VALUE', about: "more for the server's environment; may be repeated" },
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
  timeout: { type: 'string', shows: '--timeout SECONDS', about: 'how long to wait for an answer (default: 60)' },
  count: { type: 'string', shows: '--count N', about: 'listen: end after so many events' },
  verbose: { type: 'boolean', shows: '--verbose', about: "show the messages and the server's stderr, on stderr" },
  help: { type: 'boolean', shows: '--help', about: 'print how the command is used' },
} as const;

/** Takes a command line of the client side apart. Everything after `--` is a command to run, untouched. */
export function parseWords(args: readonly string[]): Words {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const { values, positionals } = parse(own);
  const command = end === -1 ? undefined : args.slice(end + 1);
  if (command?.length === 0) throw new Failure('usage', 'There is no command after "--"');
  return {
    words: positionals,
    command,
    help: values.help === true,
    options: {
      json: values.json === true,
      verbose: values.verbose === true,
      headers: pairs('--header', values.header ?? [], ':'),
      env: pairs('--env', values.env ?? [], '='),
      era: oneOf('--era', values.era ?? 'auto', eras),
      framing: oneOf('--framing', values.framing ?? 'newline', framings),
      timeoutMs: 1000 * positive('--timeout', values.timeout ?? '60'),
      count: values.count === undefined ? Number.POSITIVE_INFINITY : positive('--count', values.count),
    },
  };
}

function parse(args: readonly string[]) {
  const { header, env, ...single } = optionTexts;
  const plain = Object.fromEntries(Object.entries(single).map(([name, { type }]) => [name, { type }]));
  const repeated = { header: { type: header.type, multiple: true }, env: { type: env.type, multiple: true } } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...(plain as { [K in keyof typeof single]: { type: (typeof single)[K]['type'] } }), ...repeated },
      allowPositionals: true,
    });
    return { values, positionals };
  } catch (error) {
    throw new Failure('usage', mistake(error as Error));
  }
}

/** What parseArgs complains of, in one sentence. */
function mistake(error: Error): string {
  const unknown = /^Unknown option '(-+)([^']+)'/.exec(error.message);
  if (unknown === null) return error.message.replace(/\.? To specify .*$/s, '');
  const [, dashes = '', name = ''] = unknown;
  return `There is no option ${dashes}${name}.${didYouMean(
    `--${name}`,
    Object.keys(optionTexts).map((each) => `--${each}`),
  )}`;
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
