import type { RequestName } from '../../shared/requests.ts';
import { callRequests } from './calls.ts';
import { connectionRequests, doctorRequests } from './connections.ts';
import { exportRequests } from './exports.ts';
import { anyObject, type Handlers, object, type RequestHandler } from './handler.ts';
import { answerRequests, modelRequests } from './questions.ts';
import { signInRequests } from './sign-in.ts';
import { skillRequests } from './skills.ts';

/** Handler of the page's settings. */
const pageSettingsRequests: Handlers<'set-page-settings'> = {
  'set-page-settings': {
    schema: object({ pageSettings: anyObject }),
    async run({ pageSettings }, parts) {
      await parts.pageSettings?.set(pageSettings);
      return {};
    },
  },
};

/** Handlers of all requests of the page. */
export const handlers: Readonly<Record<string, RequestHandler<RequestName>>> = {
  ...callRequests,
  ...connectionRequests,
  ...answerRequests,
  ...modelRequests,
  ...doctorRequests,
  ...skillRequests,
  ...signInRequests,
  ...exportRequests,
  ...pageSettingsRequests,
};
