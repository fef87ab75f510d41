/** Zero-width characters: combining marks and joiners. */
const zeroWidth = /^(?:\p{Mn}|\p{Me}|[\u200B-\u200D])$/u;
/** Double-width characters: CJK scripts and emoji. */
const doubleWidth =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1FAFF}\u{20000}-\u{3FFFD}]$|^\p{Emoji_Presentation}$/u;

/** The width of a character in columns. */
function characterWidth(character: string): number {
  if (character < '\u0300') return 1;
  if (zeroWidth.test(character)) return 0;
  return doubleWidth.test(character) ? 2 : 1;
}

/** The width of a text in columns. */
export function textWidth(text: string): number {
  let columns = 0;
  for (const character of text) columns += characterWidth(character);
  return columns;
}

/** Truncates a text to a number of columns. */
export function truncate(text: string, columns: number): string {
  let left = columns;
  let end = 0;
  for (const character of text) {
    left -= characterWidth(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
