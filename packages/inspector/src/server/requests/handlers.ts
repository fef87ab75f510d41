import type { RequestName } from '../../shared/requests.ts';
import { exportRequests } from './exports.ts';
import { callRequests } from './calls.ts';
import { connectionRequests } from './connections.ts';
import { doctorRequests } from './doctor.ts';
import type { RequestHandler } from './handler.ts';
import { lookRequests } from './look.ts';
import { modelRequests } from './model.ts';
import { answerRequests } from './questions.ts';
import { skillRequests } from './skills.ts';
import { signInRequests } from './sign-in.ts';

/** How every request of the page is served. */
export const handlers: Readonly<Record<string, RequestHandler<RequestName>>> = {
  ...callRequests,
  ...connectionRequests,
  ...answerRequests,
  ...modelRequests,
  ...doctorRequests,
  ...skillRequests,
  ...signInRequests,
  ...exportRequests,
  ...lookRequests,
};
