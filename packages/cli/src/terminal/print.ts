import { truncate } from './columns.ts';
import { host } from '../host.ts';
import { messageLine } from './message-line.ts';

// All output of the command goes through this file. The text may come from a server or an untrusted file, so control characters
// are escaped before they reach the terminal.
const unsafe =
  /\r\n|(?![\t\n])\p{Cc}|[\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu;

/**
 * Escapes characters that control the terminal or mislead the reader, so that no escape sequence of a server reaches the terminal:
 * control characters except tabs and line breaks, bidirectional overrides, zero-width characters and tags. The escapes are those of JSON, so JSON keeps its meaning.
 */
export function escapeControls(text: string): string {
  return text.replace(unsafe, (found) => (found === '\r\n' ? '\n' : escapeUnits(found)));
}

/** Escapes line breaks too, for names: they could otherwise fake lines of output. */
export function toOneLine(text: string): string {
  return escapeControls(text).replaceAll('\n', '\\n').replaceAll('\t', ' ');
}

/** Serializes JSON; a value that is nested too deeply becomes a placeholder instead of an error. */
export function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deeply to show)';
  }
}

/** Serializes JSON of any depth. `indent` applies only where it is not nested too deeply. */
export function stringifyDeep(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepJson(value);
  }
}

/** Serializes without recursion, which fails after some thousand levels. */
function deepJson(root: unknown): string {
  const parts: string[] = [];
  const left: ({ text: string } | { value: unknown })[] = [{ value: root }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ('text' in next) {
      parts.push(next.text);
      continue;
    }
    const value = (next.value as { toJSON?: () => unknown } | null | undefined)?.toJSON?.() ?? next.value;
    if (typeof value !== 'object' || value === null) {
      parts.push(JSON.stringify(value) ?? 'null');
      continue;
    }
    const isList = Array.isArray(value);
    const members = isList ? [...value.entries()] : Object.entries(value).filter(([, member]) => member !== undefined);
    parts.push(isList ? '[' : '{');
    left.push({ text: isList ? ']' : '}' });
    for (const [at, [key, member]] of [...members.entries()].reverse()) {
      const name = isList ? '' : `${JSON.stringify(key)}:`;
      left.push({ value: member }, { text: `${at === 0 ? '' : ','}${name}` });
    }
  }
  return parts.join('');
}

function escapeUnits(text: string): string {
  return Array.from({ length: text.length }, (_, index) => {
    const unit = text.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
}

/** The style of a text. */
export type Style = keyof typeof styles;

/** A text with a style. The text may be untrusted; the style never is. */
export interface PrintPiece {
  text: string;
  style?: Style | undefined;
}

/** The SGR codes that begin and end a style. */
const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

/** Renders pieces as one text: each escaped, and styled if there is colour. */
export function renderPieces(pieces: readonly PrintPiece[], { colour }: { colour: boolean }): string {
  return pieces
    .map(({ text, style }) => {
      const [on, off] = style === undefined ? [] : styles[style];
      return colour && on !== undefined && text !== ''
        ? `\u001B[${on}m${escapeControls(text)}\u001B[${off}m`
        : escapeControls(text);
    })
    .join('');
}

/** Writes the result of a command to stdout. */
export function print(text: string): void {
  safeStdout().write(escapeControls(text));
}

/** Writes the result of a command to stdout, in colours. */
export function printPieces(pieces: readonly PrintPiece[], look: { colour: boolean }): void {
  safeStdout().write(renderPieces(pieces, look));
}

/** Writes to stderr. */
export function printStderr(text: string): void {
  safeStderr().write(escapeControls(text));
}

/** Writes to stderr in colours. */
export function printStderrPieces(pieces: readonly PrintPiece[], look: { colour: boolean }): void {
  safeStderr().write(renderPieces(pieces, look));
}

/** Resolves when stderr is flushed, or closed. */
export function flushStderr(): Promise<void> {
  return new Promise((resolve) => safeStderr().write('', () => resolve()));
}

/** Overwrites the last line of a terminal; undefined clears it. */
export function printStatus(text: string | undefined): void {
  const width = (host.stderr.columns || 80) - 1;
  safeStderr().write(`\r\u001B[K${truncate(toOneLine(text ?? ''), width)}`);
}

/** Switches to the alternate screen; `leaveAltScreen` restores the normal one. */
export function enterAltScreen(): void {
  safeStdout().write('\u001B[?1049h\u001B[?25l');
}

/** Returns to the normal screen. */
export function leaveAltScreen(): void {
  safeStdout().write('\u001B[?25h\u001B[?1049l');
}

/** Redraws the whole screen; no line may be wider. */
export function printScreen(lines: readonly (readonly PrintPiece[])[], look: { colour: boolean }): void {
  const texts = lines.map((line) => `${renderPieces(line, look)}\u001B[K`);
  safeStdout().write(`\u001B[H${texts.join('\r\n')}\u001B[J`);
}

/** Writes raw bytes to stdout, for a file or another program. */
export function printBytes(data: Uint8Array): void {
  safeStdout().write(data);
}

// A closed pipe or a full disk must neither end a server nor replace an exit code with a stack trace.

/** Stdout; a write error fails the command, unless the reader has closed the pipe. */
function safeStdout(): NodeJS.WriteStream {
  if (!host.stdout.listeners('error').includes(onStdoutError)) host.stdout.on('error', onStdoutError);
  return host.stdout;
}

function onStdoutError({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  printStderr(messageLine(`stdout can't be written to: ${message}`));
  process.exitCode = 1;
}

/** Stderr; its errors are ignored. */
export function safeStderr(): NodeJS.WriteStream {
  if (!host.stderr.listeners('error').includes(ignore)) host.stderr.on('error', ignore);
  return host.stderr;
}

function ignore(): void {}

/** The values of `--color`. */
export const colourChoices = ['auto', 'always', 'never'] as const;

export type ColourChoice = (typeof colourChoices)[number];

/**
 * Whether output to a stream is coloured: by the option, else by `FORCE_COLOR` and `NO_COLOR`, else if the stream is a
 * terminal.
 */
export function hasColour(
  stream: { isTTY?: boolean },
  choice: ColourChoice,
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if (choice !== 'auto') return choice === 'always';
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: term } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (none !== undefined && none !== '') return false;
  return stream.isTTY === true && term !== 'dumb';
}
