import { describe, expect, it } from 'vitest';
import type { Person } from '../english/tense.ts';
import { type SpanishTense, spanishVerb } from './translate.ts';

describe('a Spanish verb', () => {
  it.each<[string, SpanishTense, Person, string[]]>([
    ['comer', 'presente continuo', '1sg', ['estoy comiendo']],
    ['comer', 'imperfecto continuo', '3pl', ['estaban comiendo']],
    ['comer', 'futuro continuo', '2sg', ['estarás comiendo']],
    ['comer', 'condicional continuo', '1pl', ['estaríamos comiendo']],
    ['comer', 'pretérito perfecto', '1sg', ['he comido']],
    ['comer', 'pluscuamperfecto', '2pl', ['habíais comido']],
    ['comer', 'futuro perfecto', '3sg', ['habrá comido']],
    ['comer', 'condicional perfecto', '3pl', ['habrían comido']],
    ['comer', 'pretérito perfecto continuo', '3sg', ['ha estado comiendo']],
    ['comer', 'pluscuamperfecto continuo', '1sg', ['había estado comiendo']],
    ['comer', 'futuro perfecto continuo', '1pl', ['habremos estado comiendo']],
    ['comer', 'condicional perfecto continuo', '2sg', ['habrías estado comiendo']],
    ['comer', 'futuro próximo', '1sg', ['voy a comer']],
    ['imprimir', 'pretérito perfecto', '3sg', ['ha impreso', 'ha imprimido']],
    ['reír', 'pretérito', '3sg', ['rio', 'rió']],
    ['sentarse', 'presente', '1sg', ['me siento']],
    ['sentarse', 'pretérito perfecto', '1pl', ['nos hemos sentado']],
    ['sentarse', 'presente continuo', '3sg', ['se está sentando']],
    ['sentarse', 'futuro próximo', '3pl', ['se van a sentar']],
    ['tener que', 'presente', '1sg', ['tengo que']],
    ['darse cuenta', 'pretérito', '3sg', ['se dio cuenta']],
    ['pedir prestado', 'pretérito perfecto', '3sg', ['ha pedido prestado']],
    ['llover', 'presente', '3sg', ['llueve']],
    ['llover', 'presente', '1sg', []],
    ['poder', 'imperativo', '2sg', []],
    ['comer', 'imperativo', '3sg', []],
  ])('%s in the %s, %s: %j', (infinitive, tense, person, expected) => {
    expect(spanishVerb(infinitive).conjugate(tense, person)).toEqual(expected);
  });

  it.each(
    `sentarse siéntate sentémonos sentaos, levantarse levántate levantémonos levantaos,
    despertarse despiértate despertémonos despertaos, vestirse vístete vistámonos vestíos,
    dormirse duérmete durmámonos dormíos, irse vete vámonos idos, ponerse ponte pongámonos poneos,
    hacerse hazte hagámonos haceos, oponerse oponte opongámonos oponeos, quejarse quéjate quejémonos quejaos,
    afeitarse aféitate afeitémonos afeitaos, preocuparse preocúpate preocupémonos preocupaos,
    acercarse acércate acerquémonos acercaos, convertirse conviértete convirtámonos convertíos,
    ducharse dúchate duchémonos duchaos`
      .split(/,\s+/)
      .map((line) => line.split(' ')),
  )('%s: the imperatives are %s, %s, %s', (infinitive = '', ...expected) => {
    const verb = spanishVerb(infinitive);
    expect((['2sg', '1pl', '2pl'] as const).flatMap((person) => verb.conjugate('imperativo', person))).toEqual(
      expected,
    );
  });

  it.each([
    ['sentarse', 'sentándose'],
    ['vestirse', 'vistiéndose'],
    ['irse', 'yéndose'],
    ['darse cuenta', 'dándose cuenta'],
    ['comer', 'comiendo'],
  ])('%s: the gerund is %s', (infinitive, gerund) => {
    expect(spanishVerb(infinitive).gerund).toBe(gerund);
  });
});
