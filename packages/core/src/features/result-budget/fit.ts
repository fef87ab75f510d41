/** What a part of a text costs, in bytes. */
export type Cost = (text: string) => number;

/** How a text is cut to a cost. */
export interface Fitting {
  readonly text: string;
  /** How much may be taken, in bytes. */
  readonly room: number;
  readonly cost: Cost;
  /** The last place at or before a position where the text may be cut. */
  boundary(position: number): number;
}

/** The end of the longest part from a position that fits, nearly; the position itself if nothing does. */
export function fitEnd({ text, room, cost, boundary }: Fitting, start: number, last: number = text.length): number {
  // A character takes at least a byte.
  let length = Math.min(last - start, Math.max(room, 0));
  while (length > 0) {
    const end = boundary(start + length);
    if (end <= start) return start;
    const bytes = cost(text.slice(start, end));
    if (bytes <= room) return end;
    length = Math.min(end - start - 1, Math.floor(((end - start) * room) / bytes));
  }
  return start;
}

const segmenter = typeof Intl === 'undefined' || !('Segmenter' in Intl) ? undefined : new Intl.Segmenter();

/** How far around a position is read to find out what its character is. */
const nearby = 64;

/** The last position at or before one that is not inside of a character, an emoji of several included. */
export function characterBoundary(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return position;
  const code = text.charCodeAt(position);
  // Letters, digits and punctuation of ASCII never belong to the character before them.
  if (code < 0x80 && code !== 0x0a) return position;
  const inside = code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
  if (segmenter === undefined) return inside;
  const from = Math.max(0, position - nearby);
  const start = segmenter.segment(text.slice(from, position + nearby)).containing(position - from)?.index;
  return start === undefined || start === 0 ? inside : from + start;
}
