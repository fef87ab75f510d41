import { type Tool, tool } from '@ccmcp/core';
import { persons, tenses } from './english/tense.ts';

const maxWordLength = 80;
const annotations = { readOnlyHint: true, openWorldHint: false } as const;
const string = { type: 'string' } as const;

/** The schema of a verb or a form. */
function word(description: string) {
  return { type: 'string', minLength: 1, maxLength: maxWordLength, description } as const;
}

/** The input schema of a tool with one word. */
function wordInput<Name extends string>(name: Name, description: string) {
  const properties = { [name]: word(description) } as Record<Name, ReturnType<typeof word>>;
  return { type: 'object', properties, required: [name], additionalProperties: false } as const;
}

/** Conjugates an English verb. */
export const conjugateTool: Tool = tool(
  'conjugate',
  {
    title: 'Conjugate',
    description:
      'Put an English verb in a tense and person: eat, past_simple, 3sg gives "ate". ' +
      'Takes the base form, also of phrasal verbs ("give up"). The first text is the form in its usual American ' +
      'spelling; a second one says when it was made by rule and which other forms exist.',
    input: {
      type: 'object',
      properties: {
        verb: word('The base form, such as "eat"'),
        tense: { type: 'string', enum: tenses, description: 'The tense' },
        person: {
          type: 'string',
          enum: persons,
          description: 'The person: 1, 2 or 3, in the singular (sg) or plural (pl); 3sg is he, she or it',
        },
      },
      required: ['verb', 'tense', 'person'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        form: { type: 'string', description: 'The verb in this tense and person' },
        verb: string,
        tense: { type: 'string', enum: tenses },
        person: { type: 'string', enum: persons },
        source: {
          type: 'string',
          enum: ['base', 'table', 'rule'],
          description: 'Whether the form of the verb itself is its base form, is from a table, or was made by rule',
        },
        rule: { type: 'string', description: 'The rule, where the form was made by one' },
        sense: { type: 'string', description: 'When the verb is inflected so, where it is one of several ways' },
        alternatives: {
          type: 'array',
          description: 'Other correct forms',
          items: {
            type: 'object',
            properties: { form: string, sense: string },
            required: ['form'],
          },
        },
      },
      required: ['form', 'verb', 'tense', 'person', 'source', 'alternatives'],
    },
    annotations,
  },
  async (question) => {
    const { conjugateAnswer } = await import('./answers.ts');
    return conjugateAnswer(question);
  },
);

const verbProperties = {
  base: string,
  past: { type: 'string', description: 'The past in its usual form' },
  participle: { type: 'string', description: 'The past participle in its usual form' },
  third_person: { type: 'string', description: 'The present with he, she or it' },
  gerund: { type: 'string', description: 'The form in -ing' },
  past_forms: { type: 'array', items: string, description: 'All forms of the past' },
  participle_forms: { type: 'array', items: string, description: 'All forms of the participle' },
  senses: {
    type: 'array',
    description: 'The ways the verb is inflected, where they differ with its meaning',
    items: {
      type: 'object',
      properties: { sense: string, past: string, participle: string },
      required: ['sense', 'past', 'participle'],
    },
  },
} as const;

const required = ['base', 'past', 'participle', 'third_person', 'gerund', 'past_forms', 'participle_forms'] as const;

/** Looks up an irregular English verb by any of its forms. */
export const irregularTool: Tool = tool(
  'lookup_irregular_verb',
  {
    title: 'Look up an irregular verb',
    description:
      'Give the forms of an irregular English verb (base, past, participle and more), by its base form or any other ' +
      'form: "ate" gives those of eat. Where a form belongs to several irregular verbs the rest are in "others".',
    input: wordInput('verb', 'The verb, in any form'),
    output: {
      type: 'object',
      properties: {
        ...verbProperties,
        others: { type: 'array', items: { type: 'object', properties: verbProperties, required } },
      },
      required,
    },
    annotations,
  },
  async ({ verb }) => {
    const { irregularAnswer } = await import('./answers.ts');
    return irregularAnswer(verb);
  },
);

/** Translates an English verb form into Spanish ones. */
export const spanishTool: Tool = tool(
  'lookup_spanish',
  {
    title: 'Look up in Spanish',
    description:
      'Give the Spanish forms for an English verb form, each with its base verb, tense and person: "ate" gives ' +
      '"comió" and the other persons of comer. Takes one word or a whole tense ("has eaten", "they didn\'t go"). ' +
      'A form that can be several verbs, tenses or persons gives them all.',
    input: wordInput('form', 'The English form'),
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
                properties: { verb: string, tense: { type: 'string', enum: tenses } },
                required: ['verb'],
              },
            },
            required: ['spanish', 'base', 'tense', 'english'],
          },
        },
      },
      required: ['form', 'translations'],
    },
    annotations,
  },
  async ({ form }) => {
    const { spanishAnswer } = await import('./answers.ts');
    return spanishAnswer(form);
  },
);

const kinds = ['base form', 'present', 'past', 'past participle', 'present participle', 'phrase', 'modal'] as const;

/** Identifies the verbs and tenses that an English form can be. */
export const identifyTool: Tool = tool(
  'identify_form',
  {
    title: 'Identify a form',
    description:
      'Tell which English verbs a form can belong to, and which tenses and persons it can be: "ate" is the ' +
      'past_simple of eat. Takes one word or a whole clause ("had been eating", "was eaten", "didn\'t eat", "I\'m eating").',
    input: wordInput('word', 'The form'),
    output: {
      type: 'object',
      properties: {
        word: string,
        readings: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              verb: { type: 'string', description: 'The base form of the verb' },
              form: { type: 'string', enum: kinds },
              tenses: {
                type: 'array',
                description: 'The tenses it is in as it stands',
                items: {
                  type: 'object',
                  properties: {
                    tense: { type: 'string', enum: tenses },
                    persons: { type: 'array', items: { type: 'string', enum: persons } },
                  },
                  required: ['tense', 'persons'],
                },
              },
              builds: {
                type: 'array',
                description: 'The tenses it is part of, with auxiliary verbs before it',
                items: { type: 'string', enum: tenses },
              },
              modal: { type: 'string', description: 'The modal verb before it, as "can" in "could eat"' },
              voice: { type: 'string', enum: ['passive'], description: 'There where it is passive: "was eaten"' },
              negative: { type: 'boolean', description: 'There where it is denied: "didn\'t eat"' },
              question: { type: 'boolean', description: 'There where it is asked: "did she eat"' },
            },
            required: ['verb', 'form', 'tenses', 'builds'],
          },
        },
      },
      required: ['word', 'readings'],
    },
    annotations,
  },
  async ({ word }) => {
    const { identifyAnswer } = await import('./answers.ts');
    return identifyAnswer(word);
  },
);
