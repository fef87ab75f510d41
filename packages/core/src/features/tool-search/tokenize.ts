import { stem } from './stem.ts';

/** Words that occur in most descriptions and most questions, and so tell nothing of a tool. */
const stopWords = `a about all also am an and any are as at be been being both but by can could detail details did do does doing each either else etc every
  for from given had has have having here how however i if in into is it its itself just let like may me might mine more most must my need
  needs nor of off on once one only or other our ours out over particular please provide provided provides relevant same shall she should
  so some specific such than that the their them then there these they this those through thus to too two upon us use used uses using
  various very via want wants was we were what when where whether which while who whom whose why will with within without would you your
  yours`;

/** Created by the first search: expressions take time, and servers must start. */
let vocabulary: ReturnType<typeof createVocabulary> | undefined;

function createVocabulary() {
  return {
    ignored: new Set(stopWords.split(/\s+/)),
    /** Scripts that are written without spaces. Their words are found by pairs of characters. */
    unspaced: /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}|\p{sc=Khmer}|\p{sc=Lao}|\p{sc=Myanmar}/u,
    /** What an apostrophe ends in `I'm`, `doesn't` and `user's`. */
    contraction: /(?:n['’]t|(?<=\p{L})['’](?:d|ll|m|re|s|ve))(?![\p{L}\p{N}])/giu,
    /** Letters with their marks, or digits. */
    word: /[\p{L}\p{M}]+|\p{N}+/gu,
  };
}

/** Longer words are cut: they are encoded data, not words. */
const maxWordLength = 40;

/** Splits a text into terms: lower case, camelCase and snake_case split, stop words left out, the rest stemmed. */
export function tokenize(text: string): string[] {
  vocabulary ??= createVocabulary();
  const { contraction, ignored, unspaced, word } = vocabulary;
  const terms: string[] = [];
  const plain = text.normalize('NFKC').replaceAll(contraction, '');
  for (const part of splitCamelCase(plain).toLowerCase().match(word) ?? []) {
    if (unspaced.test(part)) terms.push(...pairsOf(part));
    else if (!ignored.has(part)) terms.push(stem(part.slice(0, maxWordLength)));
  }
  return terms;
}

/** `readTextFile` becomes `read Text File`, and `parseHTMLPage` `parse HTML Page`. */
function splitCamelCase(text: string): string {
  return text.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ').replaceAll(/(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}

/** The pairs of neighbouring characters, or the character that has no neighbour. */
function pairsOf(part: string): string[] {
  const characters = Array.from(part);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((second, index) => `${characters[index]}${second}`);
}
