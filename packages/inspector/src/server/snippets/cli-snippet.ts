import { maskLabel } from '../secrets.ts';
import { Refusal, type Target } from '../targets.ts';
import { type CopiedCall, quotedWord, withVariable } from './snippet-call.ts';

/** A call as a command of `ccmcp`, with variables in place of secrets. */
export function asCommand(call: CopiedCall, target: Target): string {
  const label = maskLabel(target.label);
  const [name = '', ...rest] = wordsOf(call);
  for (const word of [label, ...rest]) assertNoOption(word);
  const more = target.kind === 'url' ? Object.keys(target.headers ?? {}).map(credential) : [];
  // A label with blanks is a command, which stands at the end.
  if (target.kind === 'command' && /\s/.test(label)) {
    const command = [target.command, ...target.args];
    return ['ccmcp', name, ...rest.map(quotedWord), ...more, '--', ...command.map(quotedWord)].join(' ');
  }
  return ['ccmcp', name, quotedWord(label), ...rest.map(quotedWord), ...more].join(' ');
}

/** A server may name a tool `--token-env=TOKEN`, to be given that. */
function assertNoOption(word: string): void {
  if (!word.startsWith('-')) return;
  throw new Refusal(`The command would take ${JSON.stringify(word.slice(0, 100))} for an option`, 'Copy it as cURL.');
}

function credential(header: string): string {
  return /^authorization$/i.test(header) ? '--token-env TOKEN' : `--header ${withVariable(header)}`;
}

function wordsOf(call: CopiedCall): string[] {
  const { method, params } = call;
  const { name, uri, arguments: args = {} } = params;
  const given = Object.entries(args as Record<string, unknown>);
  switch (method) {
    case 'tools/call':
      return ['call', String(name), ...toolArguments(call, given)];
    case 'prompts/get':
      return ['prompt', String(name), ...given.map(([key, value]) => `${key}=${promptText(String(value))}`)];
    case 'resources/read':
      return ['read', String(uri)];
    case 'tools/list':
    case 'resources/list':
    case 'prompts/list':
      return ['list', method.slice(0, method.indexOf('/'))];
    case 'ping':
      return ['ping'];
    default:
      throw new Refusal(`The command has nothing for "${method}"`, 'Copy it as cURL.');
  }
}

/** Words that the command takes for these arguments; where it would refuse them, one object with all. */
function toolArguments({ params, inputSchema }: CopiedCall, given: readonly (readonly [string, unknown])[]): string[] {
  const { properties, required = [] } = (inputSchema ?? {}) as { properties?: object; required?: readonly string[] };
  const names = given.map(([name]) => name);
  const isKnown = properties === undefined || names.every((name) => Object.hasOwn(properties, name));
  const isWhole = required.every((name) => names.includes(name));
  if (isKnown && isWhole && names.every(isPlainName)) return given.map(([name, value]) => argument(name, value));
  return [JSON.stringify(params.arguments ?? {})];
}

/** Whether a name before `=` is taken for a name. */
function isPlainName(name: string): boolean {
  return /^[^=:@{-][^=:]*$/.test(name);
}

/** Texts as they are, unless they would be taken for something else; everything else as JSON. */
function argument(key: string, value: unknown): string {
  const isPlain = typeof value === 'string' && !/^\s*(?:[-+@[{"\d.]|(?:true|false|null)\s*$|$)/i.test(value);
  return isPlain ? `${key}=${value}` : `${key}:=${JSON.stringify(value)}`;
}

/** Arguments of prompts are always texts: only what would be read from elsewhere is written in another way. */
function promptText(value: string): string {
  return value.startsWith('@') ? `@${value}` : value;
}
