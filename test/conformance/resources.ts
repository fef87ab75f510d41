import { type Resource, resource, type Template, template } from '@ccmcp/core';
import { png } from './pixels.ts';

export const resources: Resource[] = [
  resource(
    'test://static-text',
    { name: 'Static text', description: 'A text that never changes', mimeType: 'text/plain' },
    () => 'This is the content of the static text resource.',
  ),
  resource(
    'test://static-binary',
    { name: 'Static binary', description: 'A picture that never changes', mimeType: 'image/png' },
    () => Buffer.from(png, 'base64'),
  ),
  resource(
    'test://watched-resource',
    { name: 'Watched resource', description: 'A resource to subscribe to', mimeType: 'text/plain' },
    () => 'Watched resource content',
  ),
];

export const templates: Template[] = [
  template(
    'test://template/{id}/data',
    { name: 'Template', description: 'A resource with a parameter', mimeType: 'application/json' },
    ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
  ),
];
