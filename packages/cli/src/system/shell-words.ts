/** Splits a line as a shell does: at spaces, with quotes and backslashes, and nothing else that shells do. */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const letter = line.charAt(index);
    if (letter === '\\' && quote !== "'" && index + 1 < line.length) {
      index += 1;
      word = (word ?? '') + line.charAt(index);
    } else if (letter === quote) {
      quote = undefined;
    } else if (quote === undefined && (letter === '"' || letter === "'")) {
      quote = letter;
      word ??= '';
    } else if (quote === undefined && /\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + letter;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Quotes a word for a shell if necessary. */
export function quoteWord(word: string): string {
  return /^[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
