import { describe, expect, it } from 'vitest';
import { conjugate, findPhrase } from './conjugate.ts';
import { type Person, persons, type Tense, tenses } from './tense.ts';

function forms(verb: string, tense: Tense): (string | undefined)[] {
  const phrase = findPhrase(verb);
  if (phrase === undefined) throw new Error(`${verb} is unknown`);
  return persons.map((person) => conjugate(phrase, tense, person)?.[0]?.text);
}

const same = (form: string) => Array.from({ length: 6 }, () => form);
const by = (list: string) => list.split(', ');

describe('conjugating', () => {
  it('knows nineteen tenses and six persons', () => {
    expect(tenses).toHaveLength(19);
    expect(persons).toEqual(['1sg', '2sg', '3sg', '1pl', '2pl', '3pl']);
  });

  it.each<[Tense, string[]]>([
    ['present_simple', by('eat, eat, eats, eat, eat, eat')],
    ['present_continuous', by('am eating, are eating, is eating, are eating, are eating, are eating')],
    ['present_perfect', by('have eaten, have eaten, has eaten, have eaten, have eaten, have eaten')],
    [
      'present_perfect_continuous',
      ['have', 'have', 'has', 'have', 'have', 'have'].map((have) => `${have} been eating`),
    ],
    ['past_simple', same('ate')],
    ['past_continuous', by('was eating, were eating, was eating, were eating, were eating, were eating')],
    ['past_perfect', same('had eaten')],
    ['past_perfect_continuous', same('had been eating')],
    ['past_habitual', same('used to eat')],
    ['future_simple', same('will eat')],
    ['future_continuous', same('will be eating')],
    ['future_perfect', same('will have eaten')],
    ['future_perfect_continuous', same('will have been eating')],
    ['future_going_to', ['am', 'are', 'is', 'are', 'are', 'are'].map((be) => `${be} going to eat`)],
    ['conditional_simple', same('would eat')],
    ['conditional_continuous', same('would be eating')],
    ['conditional_perfect', same('would have eaten')],
    ['conditional_perfect_continuous', same('would have been eating')],
  ])('conjugates eat in the %s', (tense, expected) => {
    expect(forms('eat', tense)).toEqual(expected);
  });

  it('has imperatives for 2sg, 1pl and 2pl only', () => {
    expect(forms('eat', 'imperative')).toEqual([undefined, 'eat', undefined, "let's eat", 'eat', undefined]);
    expect(forms('be', 'imperative')[1]).toBe('be');
  });

  it.each<[string, Tense, string]>([
    ['be', 'present_simple', 'am, are, is, are, are, are'],
    ['be', 'past_simple', 'was, were, was, were, were, were'],
    ['be', 'present_perfect', 'have been, have been, has been, have been, have been, have been'],
    ['be', 'past_continuous', 'was being, were being, was being, were being, were being, were being'],
    ['have', 'present_simple', 'have, have, has, have, have, have'],
    ['have', 'past_perfect', 'had had, had had, had had, had had, had had, had had'],
    ['do', 'present_simple', 'do, do, does, do, do, do'],
    ['go', 'present_perfect', 'have gone, have gone, has gone, have gone, have gone, have gone'],
    ['give up', 'present_simple', 'give up, give up, gives up, give up, give up, give up'],
    ['put up with', 'past_simple', 'put up with, put up with, put up with, put up with, put up with, put up with'],
    ['have to', 'present_simple', 'have to, have to, has to, have to, have to, have to'],
    ['be able to', 'past_simple', 'was able to, were able to, was able to, were able to, were able to, were able to'],
  ])('conjugates %s in the %s: %s', (verb, tense, expected) => {
    expect(forms(verb, tense)).toEqual(by(expected));
  });

  it.each<[string, Tense, Person, string[]]>([
    ['burn', 'past_simple', '1sg', ['burned', 'burnt']],
    ['get', 'present_perfect', '3sg', ['has gotten', 'has got']],
    ['travel', 'past_continuous', '3pl', ['were traveling', 'were travelling']],
  ])('gives all forms of %s in the %s, %s', (verb, tense, person, expected) => {
    const phrase = findPhrase(verb);
    expect(phrase && conjugate(phrase, tense, person)?.map(({ text }) => text)).toEqual(expected);
  });
});
