import { type Tool, ToolError, text, tool } from '@ccmcp/core';
import { normalize } from './english/phrase.ts';
import { readingsOf } from './english/readings.ts';
import { persons, tenses } from './english/tense.ts';
import { type Translation, translate } from './spanish/lookup.ts';
import { usage } from './spanish/translations.ts';
import { longestWord, unknownWord } from './unknown-word.ts';

/** Translates an English verb form into Spanish ones. */
export const spanishTool: Tool = tool(
  'lookup_spanish',
  {
    title: 'Look up in Spanish',
    description:
      'Give the Spanish forms for an English verb form, each with its base verb, tense and person: "ate" gives ' +
      '"comió" and the other persons of comer. Takes one word or a whole tense ("has eaten", "they will go"). ' +
      'A form that can be several verbs, tenses or persons gives them all.',
    input: {
      type: 'object',
      properties: {
        form: { type: 'string', minLength: 1, maxLength: longestWord, description: 'The English form' },
      },
      required: ['form'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        form: { type: 'string', description: 'The English form' },
        translations: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              spanish: { type: 'string', description: 'The Spanish form' },
              base: { type: 'string', description: 'The Spanish verb' },
              tense: { type: 'string', description: 'The Spanish tense' },
              person: { type: 'string', enum: persons },
              english: {
                type: 'object',
                properties: { verb: { type: 'string' }, tense: { type: 'string', enum: tenses } },
                required: ['verb'],
              },
            },
            required: ['spanish', 'base', 'tense', 'english'],
          },
        },
      },
      required: ['form', 'translations'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ form: given }) => {
    const form = normalize(given);
    const readings = readingsOf(form);
    if (readings.length === 0) throw unknownWord(form);
    const translations = readings.flatMap(translate);
    if (translations.length === 0) {
      const verbs = [...new Set(readings.map(({ verb }) => verb))].join(', ');
      throw new ToolError(`"${form}" is a form of ${verbs}, which is not among the verbs known in Spanish.`);
    }
    return { content: [text(told(translations))], structuredContent: { form, translations } };
  },
);

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
