import { audio, embeddedResource, image, resourceLink, type Tool, text, tool } from '@ccmcp/core';
import { icon, picture, tone } from './media.ts';

const annotations = { readOnlyHint: true, openWorldHint: false } as const;

const link = { uri: 'everything://text', name: 'text', mimeType: 'text/plain' } as const;
const embedded = { uri: 'everything://embedded', mimeType: 'text/plain', text: 'An embedded text.' } as const;

/** Tools that return every kind of content. */
export const contentTools: Tool[] = [
  tool('text', { description: 'Returns a text', annotations }, () => 'A text.'),

  tool('image', { description: 'Returns a picture (PNG)', annotations, icons: [icon] }, () =>
    image(picture, 'image/png'),
  ),

  tool('audio', { description: 'Returns a sound (WAV): an embedded resource in the first revision', annotations }, () =>
    audio(tone(), 'audio/wav'),
  ),

  tool(
    'resource_link',
    { description: 'Returns a link to a resource: a text for clients without links', annotations },
    () => resourceLink(link),
  ),

  tool(
    'embedded_resource',
    { description: 'Returns a resource with its contents, as text and as bytes', annotations },
    () => [
      embeddedResource(embedded),
      embeddedResource({ uri: 'everything://picture', mimeType: 'image/png', blob: picture }),
    ],
  ),

  tool('mixed', { description: 'Returns a block of every kind', annotations }, () => [
    text('A text, a picture, a sound, a link, and a resource:'),
    image(picture, 'image/png'),
    audio(tone(), 'audio/wav'),
    resourceLink(link),
    embeddedResource(embedded),
  ]),

  tool('annotated', { description: 'Returns blocks with audience, priority, date and metadata', annotations }, () => [
    { ...text('For the user, required.'), annotations: { audience: ['user'], priority: 1 } },
    {
      ...text('For the model, optional.'),
      annotations: { audience: ['assistant'], priority: 0, lastModified: '1969-07-20T20:17:40Z' },
    },
    { ...text('With metadata.'), _meta: { 'dev.ccmcp/everything': { block: 3 } } },
  ]),

  tool('nothing', { description: 'Returns no content', annotations }, () => undefined),

  tool(
    'unicode',
    { description: 'Returns text in many scripts, with characters that are hard to encode', annotations },
    () =>
      ['Grüße', '你好', 'שלום', 'é (combining)', '👩‍👩‍👧 𝒳', '"\\/\b\f\n\r\t', '\u2028\u2029', '\u0000\u001f'].join(
        ' | ',
      ),
  ),

  tool(
    'structured',
    {
      description: 'Returns an object that fits its output schema, and the same as JSON text',
      annotations,
      output: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          celsius: { type: 'number' },
          days: { type: 'array', items: { type: 'string', format: 'date' } },
        },
        required: ['city', 'celsius', 'days'],
      },
    },
    () => ({ city: 'Bern', celsius: 21.5, days: ['1969-07-20', '1969-07-21'] }),
  ),

  tool(
    'structured_list',
    {
      description:
        'Returns a list that fits its output schema; in older revisions it is the member "result" of an object',
      annotations,
      output: { type: 'array', items: { type: 'integer' } },
    },
    () => [1, 2, 3],
  ),

  tool(
    'metadata',
    { description: 'Returns a result with metadata, and the metadata of the request', annotations },
    (_, { meta }) => ({
      content: [text(JSON.stringify(meta))],
      _meta: { 'dev.ccmcp/everything': { result: true } },
    }),
  ),

  tool(
    'big',
    {
      description: 'Returns one text of many bytes',
      annotations,
      input: {
        type: 'object',
        properties: { bytes: { type: 'integer', minimum: 1, maximum: 8_388_608, default: 1_048_576 } },
      },
    },
    ({ bytes = 1_048_576 }) => 'everything\n'.repeat(Math.ceil(bytes / 11)).slice(0, bytes),
  ),

  tool(
    'many_blocks',
    {
      description: 'Returns many blocks of text',
      annotations,
      input: { type: 'object', properties: { count: { type: 'integer', minimum: 0, maximum: 10_000, default: 1000 } } },
    },
    ({ count = 1000 }) => Array.from({ length: count }, (_, index) => text(`Block ${index + 1} of ${count}`)),
  ),
];
