import { createReadStream, statSync } from 'node:fs';
import { printStderr } from '../../terminal/print.ts';
import { Failure } from '../../command/failure.ts';
import type { Schema } from '../describe/schema.ts';
import { host } from '../../host.ts';

/** Reads the data that an argument refers to: a file, or standard input. */
export interface DataSource {
  file(path: string): Promise<Buffer>;
  stdin(): Promise<Buffer>;
}

/** The maximum size of an argument. */
const maxBytes = 256 * 1024 * 1024;

/** The files and the standard input of this process. */
export function processDataSource({ inShell, signal }: { inShell: boolean; signal: AbortSignal }): DataSource {
  let taken = false;
  return {
    file: (path) => fileData(path, signal),
    stdin() {
      if (inShell)
        throw new Failure('usage', 'In the shell, standard input is where the commands come from: use a file');
      if (taken) throw new Failure('usage', 'Standard input can be read once only: use a file for the other argument');
      taken = true;
      if (host.stdin.isTTY) printStderr('Reading from the terminal; Ctrl+D at the beginning of a line ends it.\n');
      return readAll(host.stdin, { what: 'standard input', signal });
    },
  };
}

async function fileData(path: string, signal: AbortSignal): Promise<Buffer> {
  const hint = `For a text that begins with "@", write it twice: key=@@${path}`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Failure('usage', `There is no file ${path}`, { hint });
  if (stats.isDirectory()) throw new Failure('usage', `${path} is a folder, not a file`, { hint });
  try {
    return await readAll(createReadStream(path), { what: path, signal });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('usage', `${path} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

async function readAll(
  stream: NodeJS.ReadableStream & { destroy(): unknown },
  { what, signal }: { what: string; signal: AbortSignal },
): Promise<Buffer> {
  const end = (): void => void stream.destroy();
  signal.addEventListener('abort', end, { once: true });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      length += chunk.length;
      if (length > maxBytes) throw new Failure('usage', `${what} is longer than ${maxBytes} bytes`);
    }
  } finally {
    signal.removeEventListener('abort', end);
  }
  return Buffer.concat(chunks);
}

/**
 * Decodes bytes for a schema: as base64 where it has `contentEncoding`, else as UTF-8. Bytes that are not UTF-8 become base64 where
 * the description mentions it, and are rejected otherwise.
 */
export function decodeData(data: Buffer, schema: Schema, name: string): string {
  const { contentEncoding, format, title, description } = schema;
  const encoding = toText(contentEncoding ?? (format === 'byte' ? 'base64' : '')).toLowerCase();
  if (encoding === 'base64' || encoding === 'base64url') return data.toString(encoding);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    if (/base-?64/i.test(`${name} ${toText(title)} ${toText(description)}`)) return data.toString('base64');
    throw new Failure('usage', `"${name}" must be text, and what is given for it is not`, {
      hint: 'Bytes are sent as base64 where the schema of the tool says contentEncoding: base64.',
    });
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
