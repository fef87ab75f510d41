const unseen =
  /(?![\t\n])\p{Cc}|[\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/**
 * Makes a peer's text safe for a log or a terminal: escapes control and invisible characters as JSON does, so that JSON
 * keeps its meaning.
 */
export function escapeUnseen(text: string): string {
  return text.replace(unseen, (found) =>
    Array.from({ length: found.length }, (_, index) => `\\u${hex(found.charCodeAt(index))}`).join(''),
  );
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}
