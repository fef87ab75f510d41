import type { Handlers } from './handler.ts';
import { anyObject, object } from './schema.ts';

/** What the page asks about its look. */
export const lookRequests: Handlers<'set-look'> = {
  'set-look': {
    schema: object({ look: anyObject }),
    async run({ look }, parts) {
      await parts.look?.set(look);
      return {};
    },
  },
};
