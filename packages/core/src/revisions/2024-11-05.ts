import { handshake } from './handshake.ts';
import type { Changes } from './revision.ts';

/** The first revision. */
export const changes: Changes = {
  version: '2024-11-05',
  mode: handshake,
  adds: {
    requests: [
      'initialize',
      'ping',
      'tools/list',
      'tools/call',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'resources/subscribe',
      'resources/unsubscribe',
      'prompts/list',
      'prompts/get',
      'completion/complete',
      'logging/setLevel',
    ],
    notifications: [
      'notifications/initialized',
      'notifications/cancelled',
      'notifications/progress',
      'notifications/roots/list_changed',
    ],
    questions: ['ping', 'sampling/createMessage', 'roots/list'],
    abilities: ['sample', 'roots'],
  },
};
