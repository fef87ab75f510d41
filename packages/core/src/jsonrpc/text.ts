/** Decodes a Node buffer; undefined if it is not UTF-8. */
export function fromUtf8(bytes: Uint8Array & { toString(encoding: 'utf8'): string }): string | undefined {
  const text = bytes.toString('utf8');
  // Invalid bytes become U+FFFD. Only texts that contain it need the strict second pass.
  return text.includes('\uFFFD') ? textOf(bytes) : text;
}

/** Decodes bytes in any runtime; undefined if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Created lazily: an expression with \p compiles slowly, which would delay the start of servers. */
const unseenCharacters = (): RegExp =>
  /(?![\t\n])\p{Cc}|[\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/**
 * Makes a peer's text safe for a log or a terminal: escapes control and invisible characters as JSON does, so that JSON
 * keeps its meaning.
 */
export function escapeUnseen(text: string): string {
  return text.replace(unseenCharacters(), (found) =>
    Array.from({ length: found.length }, (_, index) => `\\u${hex(found.charCodeAt(index))}`).join(''),
  );
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}

/** Truncates a text to a number of characters, with an ellipsis. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/**
 * Formats a value as JSON for an error message, truncated to `longest` characters; says so if it is nested too deeply.
 */
export function briefJson(value: unknown, longest = 80): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    return 'nested too deeply to be shown';
  }
  return (text ?? typeof value).slice(0, longest);
}
