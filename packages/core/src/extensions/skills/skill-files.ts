import { toHex } from '../../runtime/hex.ts';

/** Files by their paths below a folder, with `/` between its parts. */
export type SkillFiles = Readonly<Record<string, string | Uint8Array>>;

const encoder = new TextEncoder();

/** The bytes of a file. */
export function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? encoder.encode(content) : content;
}

const mimeTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  pdf: 'application/pdf',
  png: 'image/png',
  py: 'text/x-python',
  sh: 'application/x-sh',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/x-typescript',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** What a file is, by the end of its name; else by whether it is text. */
export function mimeTypeOf(path: string, isText: boolean): string {
  const end = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(mimeTypes, end)
    ? (mimeTypes[end] as string)
    : isText
      ? 'text/plain'
      : 'application/octet-stream';
}

/** The digest of a file's bytes, as a list of skills has it. */
export async function computeDigest(bytes: Uint8Array): Promise<string> {
  return `sha256:${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}
