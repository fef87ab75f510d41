const escapes = /(?:%[\dA-Fa-f]{2})+/y;
const reserved = ":/?#[]@!$&'()*+,;=";

/** Added to the code point of an escaped reserved character, to distinguish it from the unescaped one. */
const escapedMark = 0x20_00_00;

/** A unit that occurs in no URI: an escaped character that is not reserved. */
export const impossibleUnit: number = escapedMark;

/** A URI that was parsed for matching. */
export interface ParsedUri {
  /** The decoded text in which literals are searched, with a `%` before an escaped reserved character. */
  readonly text: string;
  /** Its characters as decoded code points, so that equivalent spellings are equal. Computed on first use. */
  units(): readonly number[];
}

/** Parses a URI once for any number of templates; undefined if an escape is not valid UTF-8. */
export function parseUri(uri: string): ParsedUri | undefined {
  if (uri.includes('%')) {
    const units = unitsOf(uri);
    return units && { text: textOfUnits(units), units: () => units };
  }
  let units: readonly number[] | undefined;
  return {
    text: uri,
    units() {
      units ??= unitsOf(uri) as number[];
      return units;
    },
  };
}

/**
 * The decoded characters of a URI as code points; an escaped reserved character is marked. Undefined if an escape is not
 * valid UTF-8.
 */
export function unitsOf(uri: string): number[] | undefined {
  const units: number[] = [];
  for (let at = 0; at < uri.length; ) {
    const code = uri.codePointAt(at) as number;
    if (uri[at] !== '%') {
      units.push(code);
      at += code > 0xff_ff ? 2 : 1;
      continue;
    }
    escapes.lastIndex = at;
    const run = escapes.exec(uri)?.[0];
    const decoded = run === undefined ? undefined : decodeEscapes(run);
    if (run === undefined || decoded === undefined) return undefined;
    for (const character of decoded)
      units.push(reserved.includes(character) ? codeOf(character) + escapedMark : codeOf(character));
    at += run.length;
  }
  return units;
}

/** The code point of a character. */
export function codeOf(character: string): number {
  return character.codePointAt(0) as number;
}

function decodeEscapes(run: string): string | undefined {
  try {
    return decodeURIComponent(run);
  } catch {
    return undefined;
  }
}

/** The text of units in which an escaped reserved character differs from the bare one. */
export function textOfUnits(units: readonly number[]): string {
  let text = '';
  for (const unit of units)
    text += unit < escapedMark ? String.fromCodePoint(unit) : `%${String.fromCodePoint(unit - escapedMark)}`;
  return text;
}

/** The text of these units. */
export function decodeUnits(units: readonly number[]): string {
  let text = '';
  for (const unit of units) text += String.fromCodePoint(unit < escapedMark ? unit : unit - escapedMark);
  return text;
}

/** Splits units at the unescaped separators. */
export function splitUnits(units: readonly number[], separator: string): number[][] {
  const between = codeOf(separator);
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (const unit of units) {
    if (unit === between) {
      pieces.push(piece);
      piece = [];
    } else {
      piece.push(unit);
    }
  }
  return [...pieces, piece];
}
