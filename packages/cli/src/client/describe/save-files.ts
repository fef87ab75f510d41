import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentBlock, ResourceContents } from '@ccmcp/core';
import { Failure } from '../../command/failure.ts';

/** The paths of saved parts, by part. */
export type SavedFiles = ReadonlyMap<object, string>;

/** File extensions by MIME type. */
const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'audio/webm': 'weba',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/csv': 'csv',
};

/** Saves the binary parts of a result to a folder, each as a new file. */
export function saveContent(
  content: readonly ContentBlock[],
  { folder, name }: { folder: string | undefined; name: string },
): SavedFiles {
  const saved = new Map<object, string>();
  if (folder === undefined) return saved;
  for (const block of content) {
    if (block.type === 'image' || block.type === 'audio') {
      const data = Buffer.from(block.data, 'base64');
      saved.set(block, saveFile({ folder, name: safeFileName(name, block.mimeType), data }));
    } else if (block.type === 'resource' && 'blob' in block.resource) {
      saved.set(block.resource, saveResource(block.resource, folder));
    }
  }
  return saved;
}

/** Saves the contents of a resource, text too. */
export function saveContents(contents: readonly ResourceContents[], folder: string | undefined): SavedFiles {
  return new Map(folder === undefined ? [] : contents.map((each) => [each, saveResource(each, folder)]));
}

function saveResource(contents: ResourceContents, folder: string): string {
  const data = 'blob' in contents ? Buffer.from(contents.blob, 'base64') : Buffer.from(contents.text);
  const mimeType = contents.mimeType ?? ('blob' in contents ? undefined : 'text/plain');
  return saveFile({ folder, name: safeFileName(lastSegment(contents.uri), mimeType), data });
}

/** The last segment of a URI, percent-decoded where possible. */
function lastSegment(uri: string): string {
  const [path = ''] = uri.split(/[?#]/, 1);
  const segment = path.split(/[/\\:]/).findLast((each) => each !== '') ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Names of devices on Windows, with any extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Creates a safe file name from untrusted text: without separators, leading dots and dashes, control characters, and
 * bidirectional overrides, which would show `exe.jpg` as `gpj.exe`.
 */
export function safeFileName(wanted: string, mimeType: string | undefined): string {
  const kept = wanted
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._ -]+/gu, '_')
    .replace(/^[. _-]+|[. ]+$/g, '');
  const ending = extensions[mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''];
  const named = kept === '' ? 'file' : kept;
  const [base, own] = splitExtension(devices.test(named) ? `_${named}` : named);
  const last = own ?? ending ?? 'bin';
  return `${shortenName(base)}.${last}`;
}

function splitExtension(name: string): [string, string | undefined] {
  const [, base, ending] = /^(.+)\.([A-Za-z0-9]{1,10})$/.exec(name) ?? [];
  return base === undefined ? [name, undefined] : [base, ending];
}

/** Limits the bytes, as file systems do, with room for a number and an extension. */
function shortenName(name: string): string {
  let short = Array.from(name).slice(0, 120);
  while (Buffer.byteLength(short.join('')) > 200) short = short.slice(0, -1);
  return short.join('').replace(/[. ]+$/, '') || 'file';
}

/** The maximum number of files with the same name. */
const maxPerName = 10_000;

/** Writes a new file. If the name exists, or is a link, a number is added. */
function saveFile({ folder, name, data }: { folder: string; name: string; data: Uint8Array }): string {
  const [base, ending] = splitExtension(name);
  try {
    mkdirSync(folder, { recursive: true });
    for (let number = 1; number < maxPerName; number += 1) {
      const path = join(folder, number === 1 ? name : `${base}-${number}.${ending ?? 'bin'}`);
      if (writeNewFile(path, data)) return path;
    }
  } catch (error) {
    throw new Failure('unexpected', `Can't save to ${folder}: ${(error as Error).message}`, { cause: error });
  }
  throw new Failure('unexpected', `There are too many files named ${base} in ${folder}`);
}

function writeNewFile(path: string, data: Uint8Array): boolean {
  try {
    writeFileSync(path, data, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
