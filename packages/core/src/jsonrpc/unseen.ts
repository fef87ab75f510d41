const unseen =
  /(?![\t\n])\p{Cc}|[\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/**
 * A text of the other side, fit for a log or a terminal: what would steer that or deceive the eye is written as JSON
 * escapes it, so that JSON stays JSON and means the same.
 */
export function escapeUnseen(text: string): string {
  return text.replace(unseen, (found) =>
    Array.from({ length: found.length }, (_, index) => `\\u${hex(found.charCodeAt(index))}`).join(''),
  );
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}
