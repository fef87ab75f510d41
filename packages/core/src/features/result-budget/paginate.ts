import type { ContentBlock, ResourceLink, TextContent } from '../../protocol/content.ts';
import { text } from '../../protocol/content.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import { utf8Length } from '../../runtime/utf8-length.ts';
import type { Cut, CutOptions, Part } from './cut.ts';
import { cutJson, isJson } from './cut-json.ts';
import { cutText } from './cut-text.ts';
import { isMedia, wireLength } from './size.ts';

/** What a page needs beside its content: the sentence about what is left out, a link, and the frame. */
export const overhead = 1000;

/** One page of a result. */
export interface Page {
  readonly content: readonly ContentBlock[];
  readonly label: string;
}

/** A result cut into pages. */
export interface Pages {
  readonly first: Page;
  /** Structured content of the first page; undefined if nothing of it is shown. */
  readonly structured: unknown;
  readonly rest: Iterable<Page>;
  /** False if the rest is not all of it. */
  readonly isWhole: boolean;
}

/** How a result is cut. */
export interface PageOptions {
  /** The bytes of a page, as JSON. */
  readonly limit: number;
  readonly maxKept: number;
  readonly isLog: (text: string) => boolean;
}

/** A block that may be cut. */
interface Document {
  readonly block: ContentBlock;
  /** It is the structured content too. */
  readonly isTwice: boolean;
}

/** Cuts a result into pages. Images, audio and blobs stay on the first one, whatever their size. */
export function paginate(result: CallToolResult, { limit, maxKept, isLog }: PageOptions): Pages {
  const media = result.content.filter(isMedia);
  const { documents, kept } = documentsOf(result, limit);
  const pageRoom = limit - overhead;
  let room = pageRoom - (kept === undefined ? 0 : wireLength(kept));
  const shown: ContentBlock[] = [];
  let structured = kept;
  let next = 0;
  for (const { block, isTwice } of documents) {
    const bytes = wireLength(block) + (isTwice ? wireLength(result.structuredContent) : 0);
    if (bytes > room) break;
    room -= bytes;
    shown.push(block);
    if (isTwice) structured = result.structuredContent;
    next += 1;
  }
  const total = documents.length;
  const cutting = documents[next];
  if (cutting === undefined) {
    return { first: { content: [...media, ...shown], label: 'all of it' }, structured, rest: [], isWhole: true };
  }
  const options = { firstRoom: Math.max(room - blockFrame, 0), pageRoom: pageRoom - blockFrame, maxKept };
  const cut = cutBlock(cutting.block, isLog, { ...options, isTwice: cutting.isTwice });
  if (cutting.isTwice && cut.isJson) structured = JSON.parse(cut.first.text);
  const blocks = [cut.first.text, cut.last ?? ''].filter((part) => part !== '').map(text);
  const following = documents.slice(next + 1).map(({ block }) => block);
  const place = total === 1 ? '' : ` of block ${next + 1} of ${total}`;
  function* rest(): Generator<Part | ContentBlock> {
    for (const part of cut.rest) yield { ...part, label: part.label + place };
    yield* following;
  }
  return {
    first: { content: [...media, ...shown, ...blocks], label: cut.first.label + place },
    structured,
    rest: packPages(rest(), { pageRoom, options, from: next + 2, total }),
    isWhole: cut.isWhole,
  };
}

/** The bytes of a block of text beside the text. */
const blockFrame = 40;

/** The blocks of text of a result. `kept`: structured content that is small, and not the text again. */
function documentsOf(
  { content, structuredContent }: CallToolResult,
  limit: number,
): { documents: Document[]; kept?: unknown } {
  const blocks = content.filter((block) => !isMedia(block));
  const documents = blocks.map((block) => ({ block, isTwice: false }));
  if (structuredContent === undefined) return { documents };
  const json = JSON.stringify(structuredContent);
  const twin = blocks.findIndex((block) => block.type === 'text' && isSame(block.text, json));
  if (twin !== -1) {
    documents[twin] = { block: blocks[twin] as ContentBlock, isTwice: true };
    return { documents };
  }
  if (utf8Length(json) <= limit / 4) return { documents, kept: structuredContent };
  const added = { block: text(json), isTwice: true };
  const isShort = blocks.reduce((sum, block) => sum + wireLength(block), 0) <= limit / 4;
  return { documents: isShort ? [...documents, added] : [added, ...documents] };
}

/** True if a text is a JSON text of the same value, perhaps with spaces. */
function isSame(given: string, json: string): boolean {
  if (given === json) return true;
  if (given.length < json.length || given.length > json.length * 10 + 1000 || !isJson(given)) return false;
  return JSON.stringify(JSON.parse(given)) === json;
}

function cutBlock(
  block: ContentBlock,
  isLog: (text: string) => boolean,
  options: CutOptions,
): Cut & { readonly isJson: boolean } {
  const whole = textOf(block);
  if (isJson(whole)) return { ...cutJson(whole, options), isJson: true };
  return { ...cutText(whole, !options.isTwice && isLog(whole), options), isJson: false };
}

function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : JSON.stringify(block);
}

interface Packing {
  readonly pageRoom: number;
  readonly options: Omit<CutOptions, 'isTwice'>;
  /** The number of the first block after the one that was cut. */
  readonly from: number;
  readonly total: number;
}

function* packPages(
  items: Iterable<Part | ContentBlock>,
  { pageRoom, options, from, total }: Packing,
): Generator<Page> {
  let content: (TextContent | ContentBlock | ResourceLink)[] = [];
  let labels: string[] = [];
  let bytes = 0;
  let number = from;
  for (const item of items) {
    for (const { block, label } of 'type' in item ? partsOf(item) : [{ block: text(item.text), label: item.label }]) {
      const more = wireLength(block);
      if (content.length > 0 && bytes + more > pageRoom) {
        yield { content, label: labels.join(', ') };
        [content, labels, bytes] = [[], [], 0];
      }
      content.push(block);
      labels.push(label);
      bytes += more;
    }
  }
  if (content.length > 0) yield { content, label: labels.join(', ') };

  function* partsOf(block: ContentBlock): Generator<{ block: ContentBlock; label: string }> {
    const place = `block ${number} of ${total}`;
    number += 1;
    if (wireLength(block) <= pageRoom) {
      yield { block, label: place };
      return;
    }
    const cut = cutBlock(block, () => false, { ...options, firstRoom: options.pageRoom, isTwice: false });
    if (cut.first.text !== '') yield { block: text(cut.first.text), label: `${cut.first.label} of ${place}` };
    for (const part of cut.rest) yield { block: text(part.text), label: `${part.label} of ${place}` };
  }
}
