import { embeddedResource, image, type Prompt, prompt, resourceLink, text } from '@ccmcp/core';
import { icon, picture } from './media.ts';

const cities: Readonly<Record<string, readonly string[]>> = {
  France: ['Lyon', 'Marseille', 'Paris'],
  Italy: ['Milan', 'Naples', 'Rome'],
  Japan: ['Kyoto', 'Osaka', 'Tokyo'],
};

/** Prompts with arguments, completion, every kind of content, and a question. */
export const prompts: Prompt[] = [
  prompt('plain', { description: 'A prompt without arguments' }, () => 'Say hello.'),

  prompt(
    'travel',
    {
      title: 'A weekend',
      description: 'A prompt with a required and an optional argument; cities are completed for the country',
      icons: [icon],
      arguments: {
        country: { description: 'The country', required: true, complete: Object.keys(cities) },
        city: {
          description: 'A city in it',
          complete: (typed, { arguments: { country = '' } }) =>
            (cities[country] ?? []).filter((city) => city.toLowerCase().startsWith(typed.toLowerCase())),
        },
      },
    },
    ({ country, city }) => `Plan a weekend in ${city === undefined ? country : `${city}, ${country}`}.`,
  ),

  prompt('conversation', { description: 'Messages of both roles, with every kind of content' }, () => ({
    description: 'A conversation',
    messages: [
      { role: 'user', content: text('What is on this picture?') },
      { role: 'user', content: image(picture, 'image/png') },
      { role: 'assistant', content: text('Squares in two colours.') },
      {
        role: 'user',
        content: embeddedResource({ uri: 'everything://embedded', mimeType: 'text/plain', text: 'An embedded text.' }),
      },
      { role: 'user', content: resourceLink({ uri: 'everything://text', name: 'text', mimeType: 'text/plain' }) },
    ],
  })),

  prompt('ask', { description: 'A prompt that asks the user first' }, async (_, { elicit }) => {
    const schema = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] } as const;
    const answer = await elicit({ message: 'About what?', schema });
    return answer.action === 'accept' ? `Explain ${answer.content.topic}.` : 'Explain anything.';
  }),
];
