import { Buffer } from 'node:buffer';
import { type Resource, resource, type Template, template } from '@ccmcp/core';
import { icon, picture } from './media.ts';

/** A number that clients watch. */
export interface Counter {
  value: number;
}

export const counterUri = 'everything://counter';

const itemIds = Array.from({ length: 100 }, (_, index) => String(index + 1));

/** Resources of every kind. */
export function everyResource(counter: Counter): Resource[] {
  return [
    resource(
      'everything://text',
      {
        name: 'text',
        title: 'A text',
        description: 'With everything that a listing may have',
        mimeType: 'text/plain',
        size: 7,
        icons: [icon],
        annotations: { audience: ['user', 'assistant'], priority: 0.5, lastModified: '1969-07-20T20:17:40Z' },
        _meta: { 'dev.ccmcp/everything': { resource: true } },
      },
      () => 'A text.',
    ),
    resource('everything://picture', { name: 'picture', description: 'Bytes', mimeType: 'image/png' }, () =>
      Buffer.from(picture, 'base64'),
    ),
    resource('everything://json', { name: 'json', description: 'JSON', mimeType: 'application/json' }, () => ({
      list: [1, 2, 3],
      nothing: null,
    })),
    resource('everything://parts', { name: 'parts', description: 'Several contents, each with its URI' }, () => [
      { uri: 'everything://parts/1', mimeType: 'text/plain', text: 'The first part' },
      { uri: 'everything://parts/2', mimeType: 'image/png', blob: picture },
    ]),
    resource(
      counterUri,
      { name: 'counter', description: 'A number that update_counter changes: subscribe to it', mimeType: 'text/plain' },
      () => String(counter.value),
    ),
    resource('everything://big', { name: 'big', description: 'A text of 1 MiB', mimeType: 'text/plain' }, () =>
      'everything\n'.repeat(95_326).slice(0, 1_048_576),
    ),
  ];
}

/** Templates: with completion and a list, for paths, and with a query. */
export const templates: Template[] = [
  template(
    'everything://items/{id}',
    {
      name: 'item',
      description: 'One of a hundred items; they are in the list of resources, which has several pages',
      mimeType: 'application/json',
      complete: { id: itemIds },
      list: () => ({ resources: itemIds.map((id) => ({ uri: `everything://items/${id}`, name: `item ${id}` })) }),
    },
    ({ id }) => (itemIds.includes(String(id)) ? { id: Number(id), even: Number(id) % 2 === 0 } : undefined),
  ),
  template(
    'everything://files/{+path}',
    { name: 'file', description: 'Any path, slashes included', mimeType: 'text/plain' },
    ({ path }) => `The file ${String(path)}`,
  ),
  template(
    'everything://sum{?a,b}',
    { name: 'sum', description: 'The sum of two numbers of a query', mimeType: 'text/plain' },
    ({ a = '0', b = '0' }) => String(Number(a) + Number(b)),
  ),
];
