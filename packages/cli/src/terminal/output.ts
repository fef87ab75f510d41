import type { LogLevel } from '@ccmcp/core';
import {
  stringifyDeep,
  renderPieces,
  type PrintPiece,
  escapeControls,
  print,
  printBytes,
  printPieces,
  type Style,
  printStderrPieces,
  printStatus,
  type ColourChoice,
  hasColour,
} from './print.ts';
import type { ImageChoice } from './images.ts';
import { prettyJson } from './pretty-json.ts';
import type { Terminal } from './terminal.ts';
import { type Line, wrap } from './wrap.ts';
import { host } from '../host.ts';

/** Styles a line of the result for a terminal. */
export type LineStyler = (line: string) => Line;

/** A part of a result: a text and, for an image, its bytes. */
export interface Part {
  text: string;
  image?: Buffer;
}

/** The output of a command: one value on stdout, everything else on stderr. */
export interface Output {
  /** Writes the outcome: a JSON value or, for people, a text. */
  value(json: unknown, text: () => string, look?: LineStyler): void;
  /** Writes a result that may be longer than the screen: a pager shows it. */
  long(json: unknown, text: () => string, more: { look?: LineStyler; terminal: Terminal }): Promise<void>;
  /** Writes an outcome that consists of texts and images. */
  parts(json: unknown, parts: () => readonly Part[]): Promise<void>;
  /** Writes bytes unchanged. */
  bytes(data: Uint8Array): void;
  /** Writes a failure: a JSON value or, for people, a text. */
  failure(json: unknown, text: string): void;
  /** Writes a note that is not part of the result. */
  note(text: string, style?: Style): void;
  /** Shows progress on a line that is overwritten; undefined clears it. Only on a terminal. */
  status(text: string | undefined): void;
}

/** Options of the output. */
export interface OutputOptions {
  json: boolean;
  verbose: boolean;
  colour?: ColourChoice;
  images?: ImageChoice;
  pager?: boolean;
  /** With a log level, log messages are shown even with `json`. */
  logLevel?: LogLevel;
}

const unstyled: LineStyler = (line) => ({ pieces: [{ text: line }] });

/**
 * The output of this process. With `json`, stderr gets only one failure object, unless an option asks for more. A
 * terminal gets wrapped lines, readable JSON and images; other readers get plain text.
 */
export function processOutput(options: OutputOptions): Output {
  const { json, verbose, colour = 'auto', images = 'auto', pager = true, logLevel } = options;
  const { stdout, stderr } = host;
  let shown = false;
  if (!stdout.listeners('error').includes(exitOnClosedPipe)) stdout.once('error', exitOnClosedPipe);
  const inColour = { colour: hasColour(stdout, colour) };
  const inStderrColour = { colour: hasColour(stderr, colour) };
  const status = (text: string | undefined): void => {
    if (json || !stderr.isTTY || (text === undefined && !shown)) return;
    shown = text !== undefined;
    printStatus(text);
  };
  const writeLines = (lines: readonly (readonly PrintPiece[])[]): void => {
    status(undefined);
    printPieces(
      lines.flatMap((line) => [...line, { text: '\n' }]),
      inColour,
    );
  };
  const writeJson = (value: unknown): void => {
    status(undefined);
    const source = stringifyDeep(value);
    const readable = stdout.isTTY ? prettyJson(escapeControls(source)) : undefined;
    if (readable === undefined) print(`${source}\n`);
    else writeLines(readable);
  };
  return {
    value(value, text, look) {
      if (json) writeJson(value);
      else writeLines(toLines(text(), look));
    },
    async long(value, text, { look, terminal }) {
      if (json) return writeJson(value);
      const lines = toLines(text(), look);
      const isLong = stdout.isTTY && host.stdin.isTTY && lines.length >= stdout.rows;
      if (isLong && pager && (await showPaged(lines, inColour, terminal))) return;
      writeLines(lines);
    },
    async parts(value, parts) {
      if (json) return writeJson(value);
      if (!stdout.isTTY)
        return writeLines(
          toLines(
            parts()
              .map(({ text }) => text)
              .join('\n'),
          ),
        );
      for (const { text, image } of parts()) {
        writeLines(prettyJson(escapeControls(text)) ?? toLines(text));
        if (image !== undefined) await writeImage(image, images);
      }
    },
    bytes(data) {
      printBytes(data);
    },
    note(text, style) {
      if (json && !verbose && logLevel === undefined) return;
      status(undefined);
      printStderrPieces([{ text: text.replace(/\n$/, ''), style }, { text: text === '' ? '' : '\n' }], inStderrColour);
    },
    failure(value, text) {
      status(undefined);
      const [, name = '', rest = ''] = /^(\w+:)?(.*)$/s.exec(text) ?? [];
      const pieces: PrintPiece[] = json
        ? [{ text: stringifyDeep(value) }]
        : [{ text: name, style: 'red' }, { text: rest }];
      printStderrPieces([...pieces, ...(json || !text.endsWith('\n') ? [{ text: '\n' }] : [])], inStderrColour);
    },
    status,
  };
}

/** The reader, such as `head`, has closed the pipe. */
function exitOnClosedPipe(): void {
  process.exit(0);
}

/** A text as lines; on a terminal, of its width. */
function toLines(text: string, look: LineStyler = unstyled): PrintPiece[][] {
  const { stdout } = host;
  const columns = stdout.isTTY ? stdout.columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (text === '') return [];
  // Escaping makes text longer, so it is escaped before it is wrapped.
  const lines = escapeControls(text).replace(/\n$/, '').split('\n');
  return lines.flatMap((line) => wrap(look(line), columns));
}

async function showPaged(
  lines: readonly (readonly PrintPiece[])[],
  look: { colour: boolean },
  terminal: Terminal,
): Promise<boolean> {
  const { pagerCommand, showInPager } = await import('./pager.ts');
  const command = pagerCommand(process.env, process.platform);
  if (command === undefined) return false;
  const text = lines.map((line) => `${renderPieces(line, look)}\n`).join('');
  return terminal.suspend(() => showInPager(text, command));
}

async function writeImage(data: Buffer, choice: ImageChoice): Promise<void> {
  if (choice === 'none') return;
  const { detectImageProtocol, encodeImage } = await import('./images.ts');
  const protocol = choice === 'auto' ? detectImageProtocol(process.env) : choice;
  const image = protocol && encodeImage(data, { protocol, columns: (host.stdout.columns || 80) - 1 });
  if (image !== undefined) printBytes(Buffer.from(`${image}\n`));
}
