import type { Mode } from './revision.ts';

/** The era in which a client introduces itself once, with `initialize`, and a session remembers it. */
export const handshake: Mode = {
  era: 'handshake',
  asksBy: 'request',
  seal: (result) => result,
  address: (params) => params,
  outcome: () => 'complete',
};
