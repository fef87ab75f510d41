import { ToolError, text } from '@ccmcp/core';
import { normalize } from './english/phrase.ts';
import { readingsOf } from './english/readings.ts';
import { isTranslatable, type Translation, translate } from './spanish/lookup.ts';
import { usage } from './spanish/translations.ts';
import { unknownWord } from './unknown-word.ts';

/** The Spanish forms for an English one. */
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
  return { content: [text(told(translations))], structuredContent: { form, translations } };
}

/** A line for each verb and tense, with all persons in it. */
function told(translations: readonly Translation[]): string {
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
