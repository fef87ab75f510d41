import type { ContentBlock, ResourceContents } from '@ccmcp/core';
import { stringifyDeep } from './print.ts';
import type { SavedFiles } from './save-files.ts';

/** A part of a result: a text and, for an image, its bytes. */
export interface Part {
  text: string;
  image?: Buffer;
}

const nothing: SavedFiles = new Map();

/** Content as parts that a person can look at. */
export function contentParts(content: readonly ContentBlock[], saved: SavedFiles = nothing): Part[] {
  return content.map((block) => {
    if (block.type === 'resource') return contentsPart(block.resource, saved);
    const text = blockText(block, saved);
    return block.type === 'image' ? { text, image: Buffer.from(block.data, 'base64') } : { text };
  });
}

/** The contents of a resource as such a part. */
export function contentsPart(contents: ResourceContents, saved: SavedFiles = nothing): Part {
  const text = contentsText(contents, saved);
  const isImage = 'blob' in contents && contents.mimeType?.startsWith('image/') === true;
  return isImage ? { text, image: Buffer.from(contents.blob, 'base64') } : { text };
}

/** Content as a person reads it. */
export function contentText(content: readonly ContentBlock[]): string {
  return contentParts(content)
    .map(({ text }) => text)
    .join('\n');
}

function blockText(block: Exclude<ContentBlock, { type: 'resource' }>, saved: SavedFiles): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${byteLength(block.data)} bytes${whereSaved(block, saved)}]`;
    case 'resource_link':
      return `[link to ${block.uri}]`;
    default:
      return stringifyDeep(block);
  }
}

/** The contents of a resource as a person reads them. */
function contentsText(contents: ResourceContents, saved: SavedFiles): string {
  const where = whereSaved(contents, saved);
  if ('text' in contents) {
    return where === ''
      ? contents.text
      : `[${contents.mimeType ?? 'text'}, ${Buffer.byteLength(contents.text)} bytes${where}]`;
  }
  return `[${contents.mimeType ?? 'binary data'}, ${byteLength(contents.blob)} bytes${where}]`;
}

function whereSaved(part: object, saved: SavedFiles): string {
  const path = saved.get(part);
  return path === undefined ? '' : `, saved as ${path}`;
}

function byteLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}
