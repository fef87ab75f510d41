import type { ContentBlock, ResourceContents } from '@ccmcp/core';

/** Where a command writes: its one value to stdout, everything else to stderr. */
export interface Output {
  /** Writes the outcome: a JSON value or, for people, a text. */
  value(json: unknown, text: () => string): void;
  /** Writes bytes as they are. */
  bytes(data: Uint8Array): void;
  /** Tells a person something that is no part of the outcome. */
  note(text: string): void;
  /** Shows how far something is, on a line that is written over; undefined clears it. Not where nobody looks. */
  status(text: string | undefined): void;
}

/** The output of this process. With `json`, stderr is for one failure alone, unless more is asked for. */
export function processOutput({ json, verbose }: { json: boolean; verbose: boolean }): Output {
  let shown = false;
  // Whoever reads, as `head` does, may have seen enough.
  process.stdout.once('error', () => process.exit(0));
  const status = (text: string | undefined): void => {
    if (json || !process.stderr.isTTY || (text === undefined && !shown)) return;
    shown = text !== undefined;
    process.stderr.write(`\r\u001B[K${plain(text ?? '').slice(0, (process.stderr.columns || 80) - 1)}`);
  };
  return {
    value(value, text) {
      status(undefined);
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : ended(text()));
    },
    bytes(data) {
      process.stdout.write(data);
    },
    note(text) {
      if (json && !verbose) return;
      status(undefined);
      process.stderr.write(ended(text));
    },
    status,
  };
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** A server's text without what would steer the terminal: all control characters but tabs and line ends. */
export function plain(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}/gu, '');
}

/** Content as a person reads it. */
export function contentText(content: readonly ContentBlock[]): string {
  return content.map(blockText).join('\n');
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return plain(block.text);
    case 'image':
    case 'audio':
      return `[${block.type}, ${plain(block.mimeType)}, ${byteLength(block.data)} bytes]`;
    case 'resource':
      return contentsText(block.resource);
    case 'resource_link':
      return `[link to ${plain(block.uri)}]`;
    default:
      return JSON.stringify(block);
  }
}

/** The contents of a resource as a person reads them. */
export function contentsText(contents: ResourceContents): string {
  if ('text' in contents) return plain(contents.text);
  return `[${plain(contents.mimeType ?? 'binary data')}, ${byteLength(contents.blob)} bytes]`;
}

function byteLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}
