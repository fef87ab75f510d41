import { embeddedResource, image, type Prompt, prompt, text } from '@ccmcp/core';
import { png } from './pixels.ts';

export const prompts: Prompt[] = [
  prompt(
    'test_simple_prompt',
    { description: 'A prompt without arguments' },
    () => 'This is a simple prompt for testing.',
  ),

  prompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with arguments',
      arguments: {
        arg1: { description: 'First', required: true, complete: ['paris', 'park', 'party'] },
        arg2: { description: 'Second', required: true },
      },
    },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  ),

  prompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt with a resource',
      arguments: { resourceUri: { description: 'Its address', required: true } },
    },
    ({ resourceUri }) => [
      {
        role: 'user',
        content: embeddedResource({
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        }),
      },
      { role: 'user', content: text('Please process the embedded resource above.') },
    ],
  ),

  prompt('test_prompt_with_image', { description: 'A prompt with a picture' }, () => [
    { role: 'user', content: image(png, 'image/png') },
    { role: 'user', content: text('Please analyze the image above.') },
  ]),

  prompt('test_input_required_result_prompt', { description: 'A prompt that asks first' }, async (_, { elicit }) => {
    const schema = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] } as const;
    const answer = await elicit({ key: 'user_context', message: 'In what context?', schema });
    return answer.action === 'accept' ? `Context: ${answer.content.context}` : 'No context';
  }),
];
