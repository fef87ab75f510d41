import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { overQuota, reject } from '../answer/reject.ts';
import { bodyQuotaExceeded } from '../bindings/body-quota.ts';
import type { HttpContext } from '../endpoint/context.ts';
import type { FairScheduler } from '../endpoint/fair-scheduler.ts';
import type { Handler, Step } from './step.ts';

/** Runs a request immediately unless its caller has used its share of this turn of the event loop. */
export function schedule(scheduler: FairScheduler): Step {
  return (next) => (context) =>
    scheduler.runsImmediately(context.usage) ? next(context) : enqueue(scheduler, context, next, 0);
}

/** Schedules the rest of a request whose body came in a later turn. */
export function reschedule(context: HttpContext, next: Handler, length: number): Awaitable<void> {
  const { scheduler } = context.endpoint;
  if (scheduler === undefined || scheduler.runsImmediately(context.usage)) return next(context);
  return enqueue(scheduler, context, next, length);
}

function enqueue(scheduler: FairScheduler, context: HttpContext, next: Handler, length: number): Awaitable<void> {
  const { usage } = context;
  const full = usage.full('waiting');
  if (full !== undefined) return reject(context, overQuota(full, 'waiting'));
  const exceeded = bodyQuotaExceeded(usage, length);
  if (exceeded !== undefined) return reject(context, overQuota(exceeded, 'incoming'));
  usage.take('incoming', length);
  return scheduler.schedule(usage, () => {
    usage.release('incoming', length);
    return next(context);
  });
}
