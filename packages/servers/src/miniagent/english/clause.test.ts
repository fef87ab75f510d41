import { describe, expect, it } from 'vitest';
import { normalize } from './conjugate.ts';
import { type Reading, readingsOf } from './readings.ts';

function describeReading({ verb, modal, uses, builds, isPassive, isNegative, isQuestion }: Reading): string {
  const marks = [isPassive ? 'passive' : '', isNegative ? 'not' : '', isQuestion ? '?' : ''].filter(Boolean);
  const tenses = uses.map(({ tense, persons }) => `${tense} ${persons.length === 6 ? 'all' : persons.join(' ')}`);
  const parts = builds.length === 0 ? [] : [`in ${builds.join(' ')}`];
  return [verb, ...(modal === undefined ? [] : [`+${modal}`]), ...marks, ...tenses, ...parts].join(', ');
}

const notThird = '1sg 2sg 1pl 2pl 3pl';

describe('a clause', () => {
  it.each<[string, string[]]>([
    ['was eaten', ['eat, passive, past_simple 1sg 3sg']],
    ['is eaten', ['eat, passive, present_simple 3sg']],
    ['has been eaten', ['eat, passive, present_perfect 3sg']],
    ['had been eaten', ['eat, passive, past_perfect all']],
    ['is being eaten', ['eat, passive, present_continuous 3sg']],
    ['will be eaten', ['eat, passive, future_simple all']],
    ['will have been eaten', ['eat, passive, future_perfect all']],
    ['would have been eaten', ['eat, passive, conditional_perfect all']],
    ['are going to be eaten', ['eat, passive, future_going_to 2sg 1pl 2pl 3pl']],
    ['used to be eaten', ['eat, passive, past_habitual all']],
    ['they were given up', ['give up, passive, past_simple 3pl']],
    ['be eaten', ['eat, passive, in past_habitual future_simple future_going_to conditional_simple']],
    [
      'been eating',
      [
        'eat, in present_perfect_continuous past_perfect_continuous future_perfect_continuous conditional_perfect_continuous',
      ],
    ],

    ["didn't eat", ['eat, not, past_simple all']],
    ['did not eat', ['eat, not, past_simple all']],
    ["she doesn't eat", ['eat, not, present_simple 3sg']],
    ["don't eat", [`eat, not, present_simple ${notThird}, imperative 2sg 2pl`]],
    ["don't be", ['be, not, imperative 2sg 2pl']],
    ["let's not go", ['go, not, imperative 1pl']],
    ["hasn't eaten", ['eat, not, present_perfect 3sg']],
    ["won't eat", ['eat, not, future_simple all']],
    ["wasn't eaten", ['eat, passive, not, past_simple 1sg 3sg']],
    ["isn't", ['be, not, present_simple 3sg']],
    ["can't", ['can, not, present_simple all']],
    ['i do not know', ['know, not, present_simple 1sg']],

    ["I'm eating", ['eat, present_continuous 1sg']],
    ['I’m eating', ['eat, present_continuous 1sg']],
    ['Iʼm eating', ['eat, present_continuous 1sg']],
    ["you're eating", ['eat, present_continuous 2sg 2pl']],
    ["she's eating", ['eat, present_continuous 3sg']],
    ["she's eaten", ['eat, present_perfect 3sg', 'eat, passive, present_simple 3sg']],
    ["we've eaten", ['eat, present_perfect 1pl']],
    ["they'd eaten", ['eat, past_perfect 3pl']],
    ["they'd eat", ['eat, conditional_simple 3pl']],
    ["I'd've eaten", ['eat, conditional_perfect 1sg']],
    ["wouldn't've eaten", ['eat, not, conditional_perfect all']],
    ["they'd've been eaten", ['eat, passive, conditional_perfect 3pl']],
    ["he'll have eaten", ['eat, future_perfect 3sg']],
    ["I'm not eating", ['eat, not, present_continuous 1sg']],
    ["they're gonna eat", ['eat, future_going_to 3pl']],

    ['did eat', ['eat, past_simple all']],
    ['do sit down', [`sit down, present_simple ${notThird}, imperative 2sg 2pl`]],
    ['did she eat', ['eat, ?, past_simple 3sg']],
    ['Does it work?', ['work, ?, present_simple 3sg']],
    ["aren't they eating?", ['eat, not, ?, present_continuous 3pl']],
    ['has he been eating', ['eat, ?, present_perfect_continuous 3sg']],
    ['is she', ['be, ?, present_simple 3sg']],

    ['can eat', ['eat, +can, present_simple all']],
    ['could have eaten', ['eat, +can, conditional_perfect all']],
    ["mustn't be eaten", ['eat, +must, passive, not, present_simple all']],
    ['shall we dance', ['dance, +shall, ?, future_simple 1pl']],
    ['might be eating', ['eat, +may, past_continuous all, conditional_continuous all']],
    ['ought to go', ['go, +ought to, present_simple all, conditional_simple all']],
  ])('is parsed: %j', (text, expected) => {
    expect(readingsOf(normalize(text)).map(describeReading)).toEqual(expected);
  });

  it.each([
    "didn't ate",
    "didn't eaten",
    'did ate',
    'does eats',
    'eats not',
    'she not eat',
    'did not be',
    'was eat',
    'he are eaten',
    'is been',
    "i'm eat",
    'does they go',
    'can ate',
    'did she ate',
    "n't",
    "'s",
    'not',
    "let's",
  ])('is rejected if it is ungrammatical: %j', (text) => {
    expect(readingsOf(normalize(text))).toEqual([]);
  });

  it.each([`i${"'d".repeat(39)}`, "i'd ".repeat(19).trim(), "ain't ".repeat(13).trim(), "n't".repeat(26)])(
    'is rejected if it is too ambiguous: %j',
    (text) => {
      expect(readingsOf(normalize(text))).toEqual([]);
    },
  );
});
