import { loadedValidator, validatorLoading } from '../../../../schema/validator.ts';
import type { Step } from './step.ts';

/** Waits while the server starts. Bodies are not read until then, so that a burst of them takes no memory. */
export const awaitReady: Step = (next) => (context) => {
  const loading =
    context.endpoint.starting ?? (loadedValidator === undefined ? validatorLoading()?.catch(() => {}) : undefined);
  // oxlint-disable-next-line promise/no-callback-in-promise -- it is the next step, not a callback
  return loading === undefined ? next(context) : loading.then(() => next(context));
};
