import type { Step } from './step.ts';

/** Finds the caller whose quotas the request counts against. */
export const identify: Step = (next) => (context) => {
  context.usage = context.endpoint.callers.of(context.http, context.auth);
  return next(context);
};
