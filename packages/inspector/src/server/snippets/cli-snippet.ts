import { maskLabel } from '@ccmcp/core/recording';
import { RequestError, type Target } from '../targets.ts';
import { type SnippetCall, quoteWord, headerWithVariable } from './snippet-call.ts';

/** Formats a call as a `ccmcp` command, with variables in place of secrets. */
export function cliSnippet(call: SnippetCall, target: Target): string {
  const label = maskLabel(target.label);
  const [name = '', ...rest] = commandWords(call);
  if (label.startsWith('-')) throw notCopied(label);
  if (rest.includes('--')) throw notCopied('--');
  const more = target.kind === 'url' ? Object.keys(target.headers ?? {}).map(credentialOption) : [];
  // A label with spaces is a command line, which goes last.
  if (target.kind === 'command' && /\s/.test(label)) {
    const command = [target.command, ...target.args];
    return ['ccmcp', name, ...withNames(rest, more), '--', ...command.map(quoteWord)].join(' ');
  }
  return ['ccmcp', name, quoteWord(label), ...withNames(rest, more)].join(' ');
}

/** Words and options. From the first word that would be taken for an option, such as a tool `--token-env=TOKEN`, words follow `--`. */
function withNames(words: readonly string[], options: readonly string[]): string[] {
  const at = words.findIndex((word) => word.startsWith('-'));
  const quoted = words.map(quoteWord);
  return at === -1 ? [...quoted, ...options] : [...quoted.slice(0, at), ...options, '--', ...quoted.slice(at)];
}

function notCopied(word: string): RequestError {
  return new RequestError(
    `The command would take ${JSON.stringify(word.slice(0, 100))} for an option`,
    'Copy it as cURL.',
  );
}

function credentialOption(header: string): string {
  return /^authorization$/i.test(header) ? '--token-env TOKEN' : `--header ${headerWithVariable(header)}`;
}

function commandWords(call: SnippetCall): string[] {
  const { method, params } = call;
  const { name, uri, arguments: args = {} } = params;
  const given = Object.entries(args as Record<string, unknown>);
  switch (method) {
    case 'tools/call':
      return ['call', String(name), ...toolArguments(call, given)];
    case 'prompts/get':
      return ['prompt', String(name), ...given.map(([key, value]) => `${key}=${escapePromptText(String(value))}`)];
    case 'resources/read':
      return ['read', String(uri)];
    case 'tools/list':
    case 'resources/list':
    case 'prompts/list':
      return ['list', method.slice(0, method.indexOf('/'))];
    case 'ping':
      return ['ping'];
    default:
      throw new RequestError(`The CLI has no command for "${method}"`, 'Copy it as cURL.');
  }
}

/** Formats tool arguments as `name=value` words, or as one JSON object if that would be rejected. */
function toolArguments({ params, inputSchema }: SnippetCall, given: readonly (readonly [string, unknown])[]): string[] {
  const { properties, required = [] } = (inputSchema ?? {}) as { properties?: object; required?: readonly string[] };
  const names = given.map(([name]) => name);
  const isKnown = properties === undefined || names.every((name) => Object.hasOwn(properties, name));
  const isWhole = required.every((name) => names.includes(name));
  if (isKnown && isWhole && names.every(isPlainName)) return given.map(([name, value]) => formatArgument(name, value));
  return [JSON.stringify(params.arguments ?? {})];
}

/** Whether a name can stand before `=`. */
function isPlainName(name: string): boolean {
  return /^[^=:@{-][^=:]*$/.test(name);
}

/** Formats an argument: plain text if unambiguous, else JSON. */
function formatArgument(key: string, value: unknown): string {
  const isPlain = typeof value === 'string' && !/^\s*(?:[-+@[{"\d.]|(?:true|false|null)\s*$|$)/i.test(value);
  return isPlain ? `${key}=${value}` : `${key}:=${JSON.stringify(value)}`;
}

/** Prompt arguments are always text: only a leading `@` needs escaping. */
function escapePromptText(value: string): string {
  return value.startsWith('@') ? `@${value}` : value;
}
