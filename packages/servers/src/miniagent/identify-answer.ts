import { text } from '@ccmcp/core';
import { normalize } from './english/phrase.ts';
import { type Reading, readingsOf } from './english/readings.ts';
import { persons } from './english/tense.ts';
import { unknownWord } from './unknown-word.ts';

/** What a form can be, told in a line for each way to understand it. */
export function identifyAnswer(given: string) {
  const word = normalize(given);
  const readings = readingsOf(word);
  if (readings.length === 0) throw unknownWord(word);
  return {
    content: [text(readings.map((reading) => told(word, reading)).join('\n'))],
    structuredContent: { word, readings: readings.map(described) },
  };
}

function described({ verb, kind, uses, builds, modal, isPassive, isNegative, isQuestion }: Reading) {
  return {
    verb,
    form: kind,
    tenses: uses.map(({ tense, persons: some }) => ({ tense, persons: [...some] })),
    builds: [...builds],
    ...(modal !== undefined && { modal }),
    ...(isPassive && { voice: 'passive' as const }),
    ...(isNegative && { negative: true }),
    ...(isQuestion && { question: true }),
  };
}

function told(word: string, { verb, kind, uses, builds, modal, isPassive, isNegative, isQuestion }: Reading): string {
  const facts = [
    verb,
    ...(kind === 'phrase' ? [] : [kind]),
    ...(modal === undefined ? [] : [`with ${modal}`]),
    ...(isPassive ? ['passive'] : []),
    ...(isNegative ? ['negative'] : []),
    ...(isQuestion ? ['question'] : []),
  ];
  const tensesTold = uses.map(({ tense, persons: some }) =>
    some.length === persons.length ? `${tense} (all persons)` : `${tense} (${some.join(', ')})`,
  );
  if (builds.length > 0) tensesTold.push(`with auxiliary verbs ${builds.join(', ')}`);
  return `${word}: ${facts.join(', ')} – ${tensesTold.join('; ')}`;
}
