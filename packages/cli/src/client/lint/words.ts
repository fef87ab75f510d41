/** The words of a text in lower case; camelCase and snake_case are split. */
export function wordsOf(text: string): string[] {
  const spaced = text.slice(0, 20_000).replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ');
  return spaced.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The first sentence of a description, which says what the tool does. */
export function firstSentence(text: string): string {
  const [first = ''] = /^.*?(?:[.!?](?=\s|$)|\n\s*\n|$)/s.exec(text.trim().slice(0, 2000)) ?? [];
  return first.slice(0, 300);
}
