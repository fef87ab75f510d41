import { audio, embeddedResource, image, type Prompt, prompt, resourceLink, text } from '@ccmcp/core';

/** More than fit into one response. */
const colours = Array.from({ length: 150 }, (_, index) => `colour-${index}`);

export const prompts: Prompt[] = [
  prompt('plain', { description: 'Says hello' }, () => 'Say hello'),
  prompt(
    'review',
    {
      title: 'Review',
      description: 'Reviews code',
      icons: [{ src: 'https://example.com/review.png' }],
      _meta: { 'com.example/shelf': 2 },
      arguments: {
        code: { title: 'The code', description: 'What to review', required: true },
        language: { complete: ['typescript', 'tcl', 'zig'] },
        colour: { complete: colours },
      },
    },
    ({ code, language = 'any language' }) => [
      { role: 'assistant', content: text('I review.') },
      { role: 'user', content: text(`Review this ${language}: ${code}`) },
    ],
  ),
  prompt('rich', {}, () => ({
    description: 'With everything',
    messages: [
      { role: 'user', content: image(new Uint8Array([137, 80, 78, 71]), 'image/png') },
      { role: 'user', content: audio(new Uint8Array([82, 73, 70, 70]), 'audio/wav') },
      { role: 'assistant', content: embeddedResource({ uri: 'text://hello', mimeType: 'text/plain', text: 'Hello' }) },
      { role: 'user', content: resourceLink({ uri: 'data://json', name: 'json' }) },
    ],
  })),
  prompt('crash', {}, () => {
    throw new Error('password is hunter2');
  }),
];
