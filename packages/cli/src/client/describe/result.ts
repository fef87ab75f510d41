import type { CallToolResult, ContentBlock, ResourceContents } from '@ccmcp/core';
import { stringifyDeep } from '../../terminal/print.ts';
import type { Context } from '../context.ts';
import { Failure } from '../../command/failure.ts';
import type { SavedFiles } from './save-files.ts';
import type { Part } from '../../terminal/output.ts';

/** Shows the result of a tool, or fails with its error. */
export async function showResult({ output, options }: Context, name: string, result: CallToolResult): Promise<void> {
  const { content, structuredContent, isError } = result;
  if (isError) throw new Failure('tool-error', contentText(content) || `"${name}" failed`, { data: result });
  const saved = await save(content, options.out, name);
  await output.parts(result, () =>
    content.length === 0 && structuredContent !== undefined
      ? [{ text: stringifyDeep(structuredContent, 2) }]
      : contentParts(content, saved),
  );
}

async function save(
  content: readonly ContentBlock[],
  folder: string | undefined,
  name: string,
): Promise<SavedFiles | undefined> {
  if (folder === undefined) return undefined;
  const { saveContent } = await import('./save-files.ts');
  return saveContent(content, { folder, name });
}

const nothing: SavedFiles = new Map();

/** Converts content to parts for display. */
export function contentParts(content: readonly ContentBlock[], saved: SavedFiles = nothing): Part[] {
  return content.map((block) => {
    if (block.type === 'resource') return contentsPart(block.resource, saved);
    const text = blockText(block, saved);
    return block.type === 'image' ? { text, image: Buffer.from(block.data, 'base64') } : { text };
  });
}

/** Converts the contents of a resource to a part for display. */
export function contentsPart(contents: ResourceContents, saved: SavedFiles = nothing): Part {
  const text = contentsText(contents, saved);
  const isImage = 'blob' in contents && contents.mimeType?.startsWith('image/') === true;
  return isImage ? { text, image: Buffer.from(contents.blob, 'base64') } : { text };
}

/** Converts content to text for display. */
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
      return `[${block.type}, ${block.mimeType}, ${byteLength(block.data)} bytes${savedPath(block, saved)}]`;
    case 'resource_link':
      return `[link to ${block.uri}]`;
    default:
      return stringifyDeep(block);
  }
}

/** Converts the contents of a resource to text for display. */
function contentsText(contents: ResourceContents, saved: SavedFiles): string {
  const where = savedPath(contents, saved);
  if ('text' in contents) {
    return where === ''
      ? contents.text
      : `[${contents.mimeType ?? 'text'}, ${Buffer.byteLength(contents.text)} bytes${where}]`;
  }
  return `[${contents.mimeType ?? 'binary data'}, ${byteLength(contents.blob)} bytes${where}]`;
}

function savedPath(part: object, saved: SavedFiles): string {
  const path = saved.get(part);
  return path === undefined ? '' : `, saved as ${path}`;
}

function byteLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}
