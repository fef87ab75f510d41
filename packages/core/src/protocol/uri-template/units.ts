const escapes = /(?:%[\dA-Fa-f]{2})+/y;
const reserved = ":/?#[]@!$&'()*+,;=";

/**
 * A URI as a list of its characters, decoded, so that equivalent spellings are equal. An escaped reserved character
 * keeps a `%` before it: it means something else than the bare one. Undefined if an escape is not valid UTF-8.
 */
export function unitsOf(uri: string): string[] | undefined {
  const units: string[] = [];
  for (let at = 0; at < uri.length; ) {
    if (uri[at] !== '%') {
      const character = String.fromCodePoint(uri.codePointAt(at) ?? 0);
      units.push(character);
      at += character.length;
      continue;
    }
    escapes.lastIndex = at;
    const run = escapes.exec(uri)?.[0];
    const decoded = run === undefined ? undefined : decodeEscapes(run);
    if (run === undefined || decoded === undefined) return undefined;
    for (const character of decoded) units.push(reserved.includes(character) ? `%${character}` : character);
    at += run.length;
  }
  return units;
}

function decodeEscapes(run: string): string | undefined {
  try {
    return decodeURIComponent(run);
  } catch {
    return undefined;
  }
}

/** The text that these units stand for. */
export function decodeUnits(units: readonly string[]): string {
  return units.map((unit) => (unit.length === 2 && unit.startsWith('%') ? unit.charAt(1) : unit)).join('');
}

/** The pieces between the unescaped separators. */
export function splitUnits(units: readonly string[], separator: string): string[][] {
  const pieces: string[][] = [];
  let piece: string[] = [];
  for (const unit of units) {
    if (unit === separator) {
      pieces.push(piece);
      piece = [];
    } else {
      piece.push(unit);
    }
  }
  return [...pieces, piece];
}
