import { formsOf } from './conjugate.ts';
import { modals } from './modals.ts';
import { areComplements } from './phrase.ts';
import { frameOf, type Part, type Person, persons, type Tense, tenses } from './tense.ts';
import { findVerb, knownVerbs } from './verb.ts';

/** What a word can be by itself. */
export type Kind = 'base form' | 'present' | 'past' | 'past participle' | 'present participle' | 'phrase' | 'modal';

/** A tense with the persons that a form can stand for in it. */
export interface Use {
  readonly tense: Tense;
  readonly persons: readonly Person[];
}

/** One way to understand a form. */
export interface Reading {
  /** The base form, with what belongs to the verb. */
  readonly verb: string;
  readonly kind: Kind;
  /** The tenses that the form is in as it stands. */
  readonly uses: readonly Use[];
}

interface Place {
  readonly base: string;
  readonly part: Part;
}

const pronouns: ReadonlyMap<string, readonly Person[]> = new Map([
  ['i', ['1sg']],
  ['you', ['2sg', '2pl']],
  ['he', ['3sg']],
  ['she', ['3sg']],
  ['it', ['3sg']],
  ['we', ['1pl']],
  ['they', ['3pl']],
]);

const parts: readonly Part[] = ['base', 'present', 'past', 'participle', 'gerund'];

/** All forms of all verbs with the places they have there; made when first asked for. */
let places: Map<string, Place[]> | undefined;

function placesOf(word: string): readonly Place[] {
  places ??= indexForms();
  // A British spelling is a form of its American verb.
  return places.get(word) ?? britishPlaces(places, word);
}

function indexForms(): Map<string, Place[]> {
  const index = new Map<string, Place[]>();
  for (const base of knownVerbs) indexVerb(index, base);
  return index;
}

function indexVerb(index: Map<string, Place[]>, base: string): void {
  const verb = findVerb(base);
  if (verb === undefined) return;
  for (const part of parts) {
    const forms = persons.flatMap((person) => formsOf(verb, part, person));
    for (const text of new Set(forms.map((form) => form.text))) {
      // A present that looks like the base form is told with it.
      if (part === 'present' && text === base) continue;
      const found = index.get(text);
      if (found === undefined) index.set(text, [{ base, part }]);
      else found.push({ base, part });
    }
  }
}

function britishPlaces(index: ReadonlyMap<string, Place[]>, word: string): Place[] {
  const american = word.replace(/([iy])s(?=(?:e|es|ed|ing)$)/, '$1z');
  if (american === word) return [];
  const britishBase = (base: string): string => base.replace(/ze$/, 'se');
  return (index.get(american) ?? []).map(({ base, part }) => ({ base: britishBase(base), part }));
}

/** All ways to understand a form: one word, or a whole tense as in `she has been eating`. */
export function readingsOf(normalized: string): Reading[] {
  const words = normalized.split(' ');
  const subject = words.length > 1 ? pronouns.get(words[0] ?? '') : undefined;
  const allowed = subject ?? persons;
  const rest = subject === undefined ? words : words.slice(1);
  const readings = [...modalReadings(rest.join(' '), allowed), ...verbReadings(rest, allowed)];
  // After a subject only what stands in a tense makes sense, and nobody is told what to do.
  return subject === undefined ? readings : readings.filter(({ uses }) => uses.length > 0).map(withoutImperative);
}

function withoutImperative(reading: Reading): Reading {
  return { ...reading, uses: reading.uses.filter(({ tense }) => tense !== 'imperative') };
}

function modalReadings(form: string, allowed: readonly Person[]): Reading[] {
  return [...modals.values()].flatMap(({ base, tenses }) => {
    const uses = (Object.entries(tenses) as [Tense, string][])
      .filter(([, text]) => text === form)
      .map(([tense]) => ({ tense, persons: allowed }));
    return uses.length === 0 ? [] : [{ verb: base, kind: 'modal' as const, uses }];
  });
}

function verbReadings(words: readonly string[], allowed: readonly Person[]): Reading[] {
  return words.flatMap((word, at) => {
    const before = words.slice(0, at).join(' ');
    const rest = words.slice(at + 1);
    if (!areComplements(rest)) return [];
    return placesOf(word).flatMap(({ base, part }) => {
      const uses = usesOf({ before, word, base, part, allowed });
      // With nothing before it a form needs no tense to be a form of its verb.
      if (before !== '' && uses.length === 0) return [];
      return [{ verb: [base, ...rest].join(' '), kind: before === '' ? kinds[part] : ('phrase' as const), uses }];
    });
  });
}

const kinds: Readonly<Record<Part, Kind>> = {
  base: 'base form',
  present: 'present',
  past: 'past',
  participle: 'past participle',
  gerund: 'present participle',
};

interface Candidate extends Place {
  readonly before: string;
  readonly word: string;
  readonly allowed: readonly Person[];
}

function usesOf({ before, word, base, part, allowed }: Candidate): Use[] {
  const verb = findVerb(base);
  return tenses.flatMap((tense) => {
    const fitting = allowed.filter((person) => {
      const frame = frameOf(tense, person);
      if (verb === undefined || frame?.before !== before) return false;
      const isSamePart = frame.part === part || (frame.part === 'present' && part === 'base');
      return isSamePart && formsOf(verb, frame.part, person).some(({ text }) => text === word);
    });
    return fitting.length === 0 ? [] : [{ tense, persons: fitting }];
  });
}
