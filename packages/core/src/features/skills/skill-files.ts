import { toHex } from '../../runtime/base64.ts';

/** Files by relative path, with `/` as separator. */
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

/** The MIME type by extension; otherwise by whether it is text. */
export function mimeTypeOf(path: string, isText: boolean): string {
  const end = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(mimeTypes, end)
    ? (mimeTypes[end] as string)
    : isText
      ? 'text/plain'
      : 'application/octet-stream';
}

/** The digest of a file, as lists have it. */
export async function computeDigest(bytes: Uint8Array): Promise<string> {
  return `sha256:${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}
