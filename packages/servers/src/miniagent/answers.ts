import { ToolError, text } from '@ccmcp/core';
import { conjugate, findPhrase, normalize } from './english/conjugate.ts';
import { type Modal, modals, type Reading, readingsOf } from './english/readings.ts';
import { notBaseForm, unknownWord } from './english/suggestions.ts';
import { type Person, persons, type Tense } from './english/tense.ts';
import { findVerb, type Form, type Verb } from './english/verb.ts';
import { isTranslatable, type Translation, translate, usage } from './spanish/translate.ts';

interface ConjugateQuestion {
  readonly verb: string;
  readonly tense: Tense;
  readonly person: Person;
}

/** Answers `conjugate`. */
export function conjugateAnswer({ verb, tense, person }: ConjugateQuestion) {
  const question: ConjugateQuestion = { verb: normalize(verb), tense, person };
  const modal = modals.get(question.verb);
  const [form, ...others] = modal === undefined ? formsFor(question) : formsOfModal(modal, question);
  if (form === undefined) throw unknownWord(question.verb);
  const { text: written, source, rule, sense } = form;
  const alternatives = others.map((other) => ({ form: other.text, ...(other.sense && { sense: other.sense }) }));
  const facts = {
    form: written,
    ...question,
    source,
    ...(rule !== undefined && { rule }),
    ...(sense !== undefined && { sense }),
    alternatives,
  };
  const notes = [notesOnForm(form, others), ...(modal === undefined ? [] : noteOnModal(modal, tense))]
    .join('\n')
    .trim();
  return { content: [text(written), ...(notes === '' ? [] : [text(notes)])], structuredContent: facts };
}

function formsFor({ verb, tense, person }: ConjugateQuestion): Form[] {
  if (verb === 'beware' && tense !== 'imperative') throw new ToolError('"beware" is used in the imperative only.');
  const phrase = findPhrase(verb);
  if (phrase === undefined) {
    const readings = readingsOf(verb);
    throw readings.length > 0 ? notBaseForm(verb, readings) : unknownWord(verb);
  }
  const forms = conjugate(phrase, tense, person);
  if (forms === undefined) throw new ToolError(`The ${tense} has no ${person}: use 2sg, 1pl or 2pl.`);
  return distinct(forms);
}

/** The form of a modal verb, and those of another verb with the same base form, such as `can`. */
function formsOfModal(modal: Modal, question: ConjugateQuestion): Form[] {
  const { base, tenses, senses } = modal;
  const text = tenses[question.tense];
  if (text === undefined && senses === undefined) throw new ToolError(missingTense(modal, question.tense));
  const source = text === base ? 'base' : 'table';
  const own: Form[] = text === undefined ? [] : [{ text, source, ...(senses && { sense: senses.modal }) }];
  const others = senses === undefined ? [] : formsFor(question).map((form) => ({ ...form, sense: senses.other }));
  return distinct([...own, ...others]);
}

/** Says that a modal verb lacks the tense, if the form is that of another verb. */
function noteOnModal(modal: Modal, tense: Tense): string[] {
  if (modal.tenses[tense] !== undefined || modal.senses === undefined) return [];
  return [`This is the form in the sense "${modal.senses.other}".`, `Otherwise ${missingTense(modal, tense)}`];
}

function missingTense({ base, tenses, instead }: Modal, tense: Tense): string {
  const hint = instead === undefined ? '' : ` Use "${instead}" in this tense.`;
  return `"${base}" is a modal verb and has no ${tense}: only ${Object.keys(tenses).join(', ')}.${hint}`;
}

/** Two senses of a verb may share a form. */
function distinct(forms: readonly Form[]): Form[] {
  return forms.filter(({ text }, at) => forms.findIndex((other) => other.text === text) === at);
}

function notesOnForm({ text: written, source, rule, sense }: Form, others: readonly Form[]): string {
  const lines = others.map((other) => `Also: ${other.text}${other.sense === undefined ? '' : ` (${other.sense})`}`);
  if (sense !== undefined && lines.length > 0) lines.unshift(`${written}: ${sense}`);
  if (source === 'rule') lines.unshift(`Derived by rule: ${rule}`);
  return lines.join('\n');
}

/** Answers `lookup_irregular_verb`. */
export function irregularAnswer(given: string) {
  const word = normalize(given);
  const [first, ...others] = irregularVerbs(word).map(toVerbFacts);
  if (first === undefined) throw notIrregular(word);
  return { ...first, ...(others.length > 0 && { others }) };
}

/** The irregular verbs that a word can be a form of; the one with this base form is first. */
function irregularVerbs(word: string): Verb[] {
  const bases = new Set([word, ...readingsOf(word).map((reading) => reading.verb)]);
  return [...bases].map(findVerb).filter((verb) => verb?.isIrregular === true) as Verb[];
}

function notIrregular(word: string): ToolError {
  const modal = modalOf(word);
  if (modal !== undefined) {
    const has = Object.entries(modal.tenses).map(([tense, form]) => `${form} (${tense})`);
    return new ToolError(`"${modal.base}" is a modal verb, which has no participle: ${has.join(', ')}. Use conjugate.`);
  }
  const verb = [word, ...readingsOf(word).map((reading) => reading.verb)].map(findVerb).find((each) => each);
  if (verb === undefined) return unknownWord(word);
  const forms = [verb.base, firstText(verb.past), firstText(verb.participle)].join(', ');
  return new ToolError(`"${verb.base}" is a regular verb: ${forms}.`);
}

function modalOf(word: string): Modal | undefined {
  const bases = readingsOf(word).flatMap(({ verb, kind }) => (kind === 'modal' ? [verb] : []));
  return modals.get(bases[0] ?? '');
}

function toVerbFacts(verb: Verb) {
  const senses = [...new Set(verb.past.map(({ sense }) => sense))].filter((sense) => sense !== undefined);
  return {
    base: verb.base,
    past: firstText(verb.past),
    participle: firstText(verb.participle),
    third_person: firstText(verb.thirdPerson),
    gerund: firstText(verb.gerund),
    past_forms: spellings(verb.past),
    participle_forms: spellings(verb.participle),
    ...(senses.length > 0 && {
      senses: senses.map((sense) => ({
        sense,
        past: firstText(verb.past.filter((form) => form.sense === sense)),
        participle: firstText(verb.participle.filter((form) => form.sense === sense)),
      })),
    }),
  };
}

function firstText(forms: readonly Form[]): string {
  return forms[0]?.text ?? '';
}

function spellings(forms: readonly Form[]): string[] {
  return [...new Set(forms.map(({ text }) => text))];
}

/** Answers `lookup_spanish`. */
export function spanishAnswer(given: string) {
  const form = normalize(given);
  const readings = readingsOf(form);
  if (readings.length === 0) throw unknownWord(form);
  const translations = readings.flatMap(translate);
  if (translations.length === 0) {
    if (!readings.some(isTranslatable)) {
      throw new ToolError(`"${form}" is in the passive or has a modal verb. Give it in the active, without one.`);
    }
    const verbs = [...new Set(readings.map(({ verb }) => verb))].join(', ');
    throw new ToolError(`"${form}" is a form of ${verbs}, which is not among the verbs known in Spanish.`);
  }
  return { content: [text(formatTranslations(translations))], structuredContent: { form, translations } };
}

/** Formats a line per verb and tense, with all persons. */
function formatTranslations(translations: readonly Translation[]): string {
  const lines = new Map<string, string[]>();
  for (const { spanish, base, tense, person, english } of translations) {
    const source = english.tense === undefined ? english.verb : `${english.verb}, ${english.tense}`;
    const line = `${base}, ${tense} (${source})`;
    const form = person === undefined ? spanish : `${spanish} (${person})`;
    lines.set(line, [...(lines.get(line) ?? []), form]);
  }
  const notes = [...new Set(translations.map(({ base }) => base))].flatMap((base) => usage.get(base) ?? []);
  return [...[...lines].map(([line, forms]) => `${forms.join(', ')} – ${line}`), ...notes].join('\n');
}

/** Answers `identify_form`, with a line per reading. */
export function identifyAnswer(given: string) {
  const word = normalize(given);
  const readings = readingsOf(word);
  if (readings.length === 0) throw unknownWord(word);
  return {
    content: [text(readings.map((reading) => formatReading(word, reading)).join('\n'))],
    structuredContent: { word, readings: readings.map(toReadingFacts) },
  };
}

function toReadingFacts({ verb, kind, uses, builds, modal, isPassive, isNegative, isQuestion }: Reading) {
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

function formatReading(
  word: string,
  { verb, kind, uses, builds, modal, isPassive, isNegative, isQuestion }: Reading,
): string {
  const facts = [
    verb,
    ...(kind === 'phrase' ? [] : [kind]),
    ...(modal === undefined ? [] : [`with ${modal}`]),
    ...(isPassive ? ['passive'] : []),
    ...(isNegative ? ['negative'] : []),
    ...(isQuestion ? ['question'] : []),
  ];
  const usesText = uses.map(({ tense, persons: some }) =>
    some.length === persons.length ? `${tense} (all persons)` : `${tense} (${some.join(', ')})`,
  );
  if (builds.length > 0) usesText.push(`with auxiliary verbs ${builds.join(', ')}`);
  return `${word}: ${facts.join(', ')} – ${usesText.join('; ')}`;
}
