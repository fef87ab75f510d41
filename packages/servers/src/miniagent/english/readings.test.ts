import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conjugate, findPhrase, formsOf, normalize } from './conjugate.ts';
import { lemmasOf } from './conjugate.ts';
import { type Reading, readingsOf } from './readings.ts';
import { similarVerbs } from './suggestions.ts';
import { persons, tenses } from './tense.ts';
import { findVerb, knownVerbs } from './verb.ts';

function describeReading({ verb, kind, uses }: Reading): string {
  const tenses = uses.map(({ tense, persons }) => `${tense} ${persons.length === 6 ? 'all' : persons.join(' ')}`);
  return [verb, kind, ...tenses].join(', ');
}

const notThird = '1sg 2sg 1pl 2pl 3pl';

describe('the readings of a form', () => {
  it.each<[string, string[]]>([
    ['ate', ['eat, past, past_simple all']],
    ['eats', ['eat, present, present_simple 3sg']],
    ['eaten', ['eat, past participle']],
    ['eating', ['eat, present participle']],
    ['eat', [`eat, base form, present_simple ${notThird}, imperative 2sg 2pl`]],
    ['was', ['be, past, past_simple 1sg 3sg']],
    ['were', ['be, past, past_simple 2sg 1pl 2pl 3pl']],
    ['am', ['be, present, present_simple 1sg']],
    ['are', ['be, present, present_simple 2sg 1pl 2pl 3pl']],
    ['be', ['be, base form, imperative 2sg 2pl']],
    [
      'put',
      [
        `put, base form, present_simple ${notThird}, imperative 2sg 2pl`,
        'put, past, past_simple all',
        'put, past participle',
      ],
    ],
    [
      'found',
      [
        'find, past, past_simple all',
        'find, past participle',
        `found, base form, present_simple ${notThird}, imperative 2sg 2pl`,
      ],
    ],
    ['lay', [`lay, base form, present_simple ${notThird}, imperative 2sg 2pl`, 'lie, past, past_simple all']],
    ['had been eating', ['eat, phrase, past_perfect_continuous all']],
    ['has eaten', ['eat, phrase, present_perfect 3sg']],
    ['is going to eat', ['eat, phrase, future_going_to 3sg']],
    ["let's eat", ['eat, phrase, imperative 1pl']],
    ['used to eat', ['eat, phrase, past_habitual all']],
    ['she ate', ['eat, past, past_simple 3sg']],
    ['you eat', ['eat, base form, present_simple 2sg 2pl']],
    ['gave up', ['give up, past, past_simple all']],
    ['was looking forward to', ['look forward to, phrase, past_continuous 1sg 3sg']],
    ['could', ['can, modal, past_simple all, conditional_simple all']],
    ['travelled', ['travel, past, past_simple all', 'travel, past participle']],
    ['organised', ['organise, past, past_simple all', 'organise, past participle']],
  ])('of %j are complete', (form, expected) => {
    expect(readingsOf(form).map(describeReading)).toEqual(expected);
  });

  it.each(['xyzzy', 'she eaten', 'he eat', 'has ate', 'i is', 'eat xyzzy', '', ' ', '__proto__'])(
    'of %j are none',
    (form) => {
      expect(readingsOf(form)).toEqual([]);
    },
  );

  it('include the verb itself, for every form of every verb', () => {
    const lost = [...knownVerbs].flatMap((base) => {
      const verb = findVerb(base);
      if (verb === undefined) return [base];
      const forms = (['base', 'present', 'past', 'participle', 'gerund'] as const).flatMap((part) =>
        formsOf(verb, part, '3sg'),
      );
      return forms.filter(({ text }) => !lemmasOf(text).some((place) => place.base === base)).map(({ text }) => text);
    });
    expect(lost).toEqual([]);
  });

  it('include every tense and person that a verb is conjugated in', () => {
    const verbs = fc.constantFrom(...knownVerbs);
    fc.assert(
      fc.property(verbs, fc.constantFrom(...tenses), fc.constantFrom(...persons), (base, tense, person) => {
        const phrase = findPhrase(base);
        for (const { text } of (phrase && conjugate(phrase, tense, person)) ?? []) {
          const uses = readingsOf(text).flatMap((reading) => (reading.verb === base ? reading.uses : []));
          expect(uses.some((use) => use.tense === tense && use.persons.includes(person))).toBe(true);
        }
      }),
    );
  });

  it('never throw for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readingsOf(normalize(text))).toBeInstanceOf(Array);
      }),
    );
  });
});

describe('a text', () => {
  it.each([
    ['  Eat ', 'eat'],
    ['to eat', 'eat'],
    ['To  GIVE\tup', 'give up'],
    ['let’s go', "let's go"],
    ['saute\u0301', 'sauté'],
    ['to', 'to'],
    ['total', 'total'],
  ])('%j is looked up as %j', (given, expected) => {
    expect(normalize(given)).toBe(expected);
  });
});

describe('verbs near a word', () => {
  it.each([
    ['eet', 'eat'],
    ['recieve', 'receive'],
    ['wlak', 'walk'],
    ['wirte', 'write'],
    ['beleive', 'believe'],
  ])('%s: %s is the first', (word, expected) => {
    expect(similarVerbs(word)[0]).toBe(expected);
  });

  it('are at most five, and empty if nothing is similar', () => {
    expect(similarVerbs('bat').length).toBe(5);
    expect(similarVerbs('xyzzyqq')).toEqual([]);
    expect(similarVerbs('a'.repeat(10_000))).toEqual([]);
  });
});
