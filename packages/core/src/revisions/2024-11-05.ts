import type { Changes, Mode } from './revision.ts';

/** The handshake era: a client introduces itself once, with `initialize`, and the session remembers it. */
export const handshake: Mode = {
  era: 'handshake',
  asksBy: 'request',
  address: (params) => params,
  outcome: () => 'complete',
};

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
