import { textWidth } from './columns.ts';
import type { PrintPiece } from './print.ts';

/** A line of output, and the indentation of its continuation lines. */
export interface Line {
  pieces: readonly PrintPiece[];
  /** Default: the indentation of the line, plus its bullet. */
  hang?: number;
}

/** A narrower terminal breaks lines itself: a word per line is unreadable. */
const minColumns = 20;

/** Breaks a long line between words. A word longer than a line, such as a URL, is not broken. */
export function wrap({ pieces, hang }: Line, columns: number): PrintPiece[][] {
  const text = pieces.map((piece) => piece.text).join('');
  // The width of a tab is unknown.
  if (columns < minColumns || text.includes('\t') || textWidth(text) <= columns) return [[...pieces]];
  const [indentation = ''] = /^ *(?:(?:[-*•]|\d{1,3}[.)]) +)?/.exec(text) ?? [];
  const indent = Math.min(hang ?? indentation.length, Math.floor(columns / 2));
  return lineRanges(text, { columns, indent }).map(([from, to], index) => [
    ...(index === 0 ? [] : [{ text: ' '.repeat(indent) }]),
    ...slicePieces(pieces, from, to),
  ]);
}

/** The ranges of the wrapped lines. */
function lineRanges(text: string, { columns, indent }: { columns: number; indent: number }): [number, number][] {
  const lines: [number, number][] = [];
  let from = 0;
  let to = 0;
  let taken = 0;
  for (const { 0: word, index } of text.matchAll(/ *[^ ]+/g)) {
    const room = columns - (lines.length === 0 ? 0 : indent);
    const wide = textWidth(word);
    // Spaces at the very beginning are the indentation, and no break opportunity.
    if (taken + wide > room && to > from && text.slice(from, to).trim() !== '') {
      lines.push([from, to]);
      from = index + (word.length - word.trimStart().length);
      taken = textWidth(word.trimStart());
    } else {
      taken += wide;
    }
    to = index + word.length;
  }
  return [...lines, [from, text.length]];
}

function slicePieces(pieces: readonly PrintPiece[], from: number, to: number): PrintPiece[] {
  let start = 0;
  return pieces.flatMap(({ text, style }) => {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += text.length;
    return part === '' ? [] : [{ text: part, style }];
  });
}

/** Styles a line of a list: titles bold, names coloured, descriptions dim. */
export function styleListLine(line: string): Line {
  const [, indentation = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  if (indentation === '') return { pieces: [{ text: line, style: isFootnote(line) ? 'dim' : 'bold' }] };
  return highlightName(indentation, rest, /^[^( ]+(?=\(|$)/);
}

/** Styles a line of a page about one tool. */
export function stylePageLine(line: string): Line {
  const [, indentation = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  if (indentation !== '') return highlightName(indentation, rest, /^\S+(?= \()/);
  if (isFootnote(line)) return { pieces: [{ text: line, style: 'dim' }] };
  const isTitle = line.length <= 40 && /^[^.()]+$/.test(line);
  return isTitle ? { pieces: [{ text: line, style: 'bold' }] } : highlightName('', line, /^[^( ]+(?=\()/);
}

function isFootnote(line: string): boolean {
  return line.startsWith('Costs a model about ');
}

function highlightName(indentation: string, rest: string, name: RegExp): Line {
  const [found = ''] = name.exec(rest) ?? [];
  if (indentation.length > 2 && found === '') return { pieces: [{ text: indentation + rest, style: 'dim' }] };
  return {
    pieces: [{ text: indentation }, { text: found, style: 'cyan' }, { text: rest.slice(found.length) }],
    ...(found !== '' && { hang: indentation.length + 8 }),
  };
}
