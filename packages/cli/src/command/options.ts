import { UnknownOptionError, UsageError } from './usage-error.ts';

/** An option of a command. Parsing, help and completion all read this. */
export interface Option {
  /** The placeholder of its value in help, such as `DIR`. Absent: the option is a switch. */
  readonly value?: string;
  /** Its line in the help; a line break continues in the same column. */
  readonly about: string;
  /** Short forms: `h` for `-h`. */
  readonly short?: readonly string[];
  /** It may be given several times. */
  readonly multiple?: true;
  /** Giving it twice is an error. Otherwise the last one wins. */
  readonly once?: true;
  /** The value is optional; the next word is taken only if it matches this. */
  readonly optionalValue?: RegExp;
  /** Single-dash words are values too, such as a hash that begins with a dash. */
  readonly dashValue?: RegExp;
  /** The only values it takes; completion suggests them. */
  readonly choices?: readonly string[];
  /** The paths that completion suggests. */
  readonly completes?: 'files' | 'folders';
}

/** The options of a command, by name without dashes. */
export type Options = Readonly<Record<string, Option>>;

/** The switch that every command has. */
export const helpOption = { about: 'print this text', short: ['h'] } as const satisfies Option;

/** One part of a command line. */
export type Token<Name extends string> =
  | { kind: 'option'; name: Name; value: string | undefined }
  | { kind: 'positional'; word: string }
  | { kind: 'rest'; words: readonly string[] };

/** How strict values are. */
interface ValueRules {
  /** Words such as `-x` are values, and only `--x` is not. Default: neither is. */
  readonly dashValues?: true;
  /** A value must not be empty. */
  readonly nonEmpty?: true;
}

/** Reads a command line option by option; `--name value` and `--name=value` are the same. Throws a `UsageError`. */
export function* readOptions<T extends Options>(
  args: readonly string[],
  options: T,
  rules: ValueRules = {},
): Generator<Token<keyof T & string>> {
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] as string;
    if (word === '--') return yield { kind: 'rest', words: args.slice(index + 1) };
    if (!word.startsWith('-') || word === '-') {
      yield { kind: 'positional', word };
      continue;
    }
    const next = args[index + 1];
    const { typed, assigned } = splitAssignment(word);
    const name = nameOf(typed, options);
    if (name === undefined) throw new UnknownOptionError(typed, likelyValue(assigned ?? next));
    const option = options[name] as Option;
    if (option.value === undefined) {
      if (assigned !== undefined) throw new UsageError(`${typed} takes no value`);
      yield { kind: 'option', name, value: undefined };
    } else if (assigned !== undefined) {
      if (assigned === '' && rules.nonEmpty) throw new UsageError(`${typed} needs a value`);
      yield { kind: 'option', name, value: requireChoice(typed, assigned, option) };
    } else if (option.optionalValue !== undefined && (isOption(next ?? '') || !option.optionalValue.test(next ?? ''))) {
      yield { kind: 'option', name, value: '' };
    } else {
      if (!isValue(next, option, rules)) throw new UsageError(`${typed} needs a value`);
      yield { kind: 'option', name, value: requireChoice(typed, next, option) };
      index += 1;
    }
  }
}

/** The values of options, by name. */
export type Values<T extends Options> = {
  -readonly [Name in keyof T]?: T[Name] extends { multiple: true }
    ? string[]
    : T[Name] extends { choices: readonly (infer Choice)[] }
      ? Choice
      : T[Name] extends { value: string }
        ? string
        : true;
};

/** A command line, parsed. */
export interface ParsedOptions<T extends Options> {
  readonly values: Values<T>;
  readonly positionals: string[];
  /** The words after `--`; undefined if there is none. */
  readonly rest: readonly string[] | undefined;
}

/** Parses a whole command line. Throws a `UsageError`. */
export function parseOptions<const T extends Options>(args: readonly string[], options: T): ParsedOptions<T> {
  const values: Record<string, string | true | string[]> = {};
  const positionals: string[] = [];
  let rest: readonly string[] | undefined;
  for (const token of readOptions(args, options)) {
    if (token.kind === 'positional') positionals.push(token.word);
    else if (token.kind === 'rest') rest = token.words;
    else addValue(values, token.name, token.value, options[token.name] as Option);
  }
  return { values: values as Values<T>, positionals, rest };
}

function addValue(
  values: Record<string, string | true | string[]>,
  name: string,
  value: string | undefined,
  { multiple, once }: Option,
): void {
  const before = values[name];
  if (once && before !== undefined) throw new UsageError(`--${name} is given twice`);
  if (multiple && value !== undefined) values[name] = [...(Array.isArray(before) ? before : []), value];
  else values[name] = value ?? true;
}

function splitAssignment(word: string): { typed: string; assigned?: string } {
  const equals = word.indexOf('=');
  return equals === -1 ? { typed: word } : { typed: word.slice(0, equals), assigned: word.slice(equals + 1) };
}

/** The name of an option that is typed as `--name` or as a letter. */
function nameOf<T extends Options>(typed: string, options: T): (keyof T & string) | undefined {
  if (typed.startsWith('--')) return Object.hasOwn(options, typed.slice(2)) ? typed.slice(2) : undefined;
  return Object.keys(options).find((name) => options[name]?.short?.includes(typed.slice(1)));
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

function isValue(
  next: string | undefined,
  { dashValue }: Option,
  { dashValues, nonEmpty }: ValueRules,
): next is string {
  if (next === undefined || (nonEmpty && next === '')) return false;
  return dashValues ? !next.startsWith('--') : !isOption(next) || dashValue?.test(next) === true;
}

function requireChoice(typed: string, value: string, { choices }: Option): string {
  if (choices === undefined || choices.includes(value)) return value;
  throw new UsageError(`${typed} must be one of ${choices.join(', ')}: ${value}`);
}

function likelyValue(next = ''): string {
  return next.startsWith('-') ? '' : next;
}
