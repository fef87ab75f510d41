/** A command such that nobody takes it for another one: its words apart, and what can't be seen spelled out. */
export function shownCommand(words: readonly string[]): string {
  return words
    .map((word) => (isPlain.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`).replaceAll(unseen, spelled))
    .join(' ');
}

const isPlain = /^[^\s'"]+$/;
/** What turns a line around, breaks it, or is nothing to look at. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
