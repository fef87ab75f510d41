import type { ContentBlock } from '../../protocol/content.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import { utf8Length } from '../../runtime/utf8-length.ts';
import { DataResult } from '../../server/call/tool-result.ts';

/** How large a result may be. */
export interface Budget {
  /** In bytes of UTF-8, as JSON. */
  readonly bytes: number;
  /** The same for what a model reads as text: everything but images, audio and other binary data. */
  readonly textBytes: number;
}

/** The most bytes that one UTF-16 unit takes in UTF-8, and inside of a JSON string. */
const maxUnit = 3;
const maxEscaped = 6;

/** True if a result is within its budget. Measures only where cheap upper bounds don't tell. */
export function fits(result: CallToolResult, { bytes, textBytes }: Budget): boolean {
  const { content, structuredContent } = result;
  const isData = result instanceof DataResult;
  const only = content.length === 1 && (isData || structuredContent === undefined) ? content[0] : undefined;
  if (only?.type === 'text' && only.text.length * (maxEscaped + (isData ? maxUnit : 0)) + 100 <= bytes) {
    const textRoom = isData ? textBytes / 2 : textBytes;
    return only.text.length * maxUnit <= textRoom || utf8Length(only.text) <= textRoom;
  }
  if (structuredContent !== undefined || only === undefined) {
    const room = Math.min(bytes / maxEscaped, textBytes / maxUnit);
    let left = room;
    for (const block of content) {
      left = remaining(block, left, 0);
      if (left < 0) break;
    }
    if (left >= 0 && (structuredContent === undefined || remaining(structuredContent, left, 0) >= 0)) return true;
  }
  const structured = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  let text = utf8Length(structured);
  let all = text;
  for (const block of content) {
    text += textLength(block);
    all += wireLength(block);
    if (text > textBytes || all > bytes) return false;
  }
  return text <= textBytes && all <= bytes;
}

/** How deep values are walked for the cheap bound. */
const deepest = 100;

/** What is left of a length after a value is written as JSON, by an upper bound in characters; negative if it may not fit. */
function remaining(value: unknown, room: number, depth: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value === 'number') return room - (Number.isInteger(value) && Math.abs(value) < 1e9 ? 11 : 25);
  if (typeof value !== 'object' || value === null) return room - 5;
  if (depth === deepest || 'toJSON' in value) return -1;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = remaining(value[index], left - 1, depth + 1);
    return left;
  }
  for (const name in value) {
    left = remaining((value as Record<string, unknown>)[name], left - name.length - 4, depth + 1);
    if (left < 0) break;
  }
  return left;
}

/** The bytes of a value as JSON. */
export function wireLength(value: unknown): number {
  return utf8Length(JSON.stringify(value) ?? '');
}

/** The bytes of what a model reads of a block. */
function textLength(block: ContentBlock): number {
  if (block.type === 'text') return utf8Length(block.text);
  if (isMedia(block)) return 0;
  return block.type === 'resource' && 'text' in block.resource ? utf8Length(block.resource.text) : wireLength(block);
}

/** True for a block of binary data: an image, audio or a blob. */
export function isMedia(block: ContentBlock): boolean {
  if (block.type === 'resource') return 'blob' in block.resource;
  return block.type === 'image' || block.type === 'audio';
}
