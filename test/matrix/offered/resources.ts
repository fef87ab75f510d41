import { type Resource, resource, type Template, template } from '@ccmcp/core';

const notes: Record<string, string> = { a: 'First', b: 'Second', c: 'Third', d: 'Fourth', e: 'Fifth' };
const ids = Object.keys(notes);

export const resources: Resource[] = [
  resource(
    'text://hello',
    {
      name: 'hello',
      title: 'A greeting',
      description: 'Just text',
      size: 5,
      annotations: { audience: ['user'], priority: 1, lastModified: '2025-01-12T15:00:58Z' },
      icons: [{ src: 'https://example.com/hello.svg', mimeType: 'image/svg+xml', sizes: ['any'], theme: 'light' }],
      _meta: { 'com.example/shelf': 1 },
    },
    () => 'Hello',
  ),
  resource('blob://bytes', { mimeType: 'application/x-bytes' }, () => new Uint8Array([0, 1, 254, 255])),
  resource('data://json', { cache: { ttlMs: 60_000, scope: 'public' } }, async () => ({ answer: 42 })),
  resource('many://parts', {}, () => [
    { uri: 'many://parts/1', mimeType: 'text/plain', text: 'one' },
    { uri: 'many://parts/2', mimeType: 'image/png', blob: 'iVBORw0=' },
  ]),
  resource('broken://crash', {}, () => {
    throw new Error('password is hunter2');
  }),
];

export const templates: Template[] = [
  template(
    'note://{id}',
    {
      name: 'notes',
      title: 'Notes',
      description: 'One note each',
      mimeType: 'text/markdown',
      complete: {
        id: (value, { arguments: filled }) => {
          const from = filled.after === undefined ? ids : ids.slice(ids.indexOf(filled.after) + 1);
          return from.filter((id) => id.startsWith(value));
        },
      },
      list: (from = '0') => {
        const start = Number(from);
        const page = ids.slice(start, start + 2);
        const next = start + 2 < ids.length ? String(start + 2) : undefined;
        return { resources: page.map((id) => ({ uri: `note://${id}`, name: notes[id] as string })), next };
      },
    },
    ({ id }) => notes[String(id)],
  ),
  template('word://{language}/{word}', { complete: { language: ['de', 'en', 'es', 'eo'] } }, ({ language, word }) => ({
    language,
    word,
  })),
];
