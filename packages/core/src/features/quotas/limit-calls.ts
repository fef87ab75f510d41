import type { Feature } from '../../server/engine.ts';
import { reject } from '../../server/pipeline/reject.ts';
import type { Answer, RequestStep } from '../../server/pipeline/step.ts';
import { acquire, overload, type Usage } from './quota.ts';

/** Partial, because transports without quotas implement less. */
type QuotaUsage = Partial<Usage> | undefined;

/** Rejects a request whose caller already runs the maximum number of calls. */
const checkQuota: RequestStep = (next) => (call) => {
  const usage: QuotaUsage = call.peer.usage;
  const full = usage?.full?.('calls');
  if (full !== undefined && !call.host.methods.of(call.method).urgent) throw overload(full, 'calls');
  return next(call);
};

/** Serves a request as soon as this instance's lease of the quota has room for it. */
const acquireQuota: RequestStep = (next) => (call) => {
  const { peer, host, method } = call;
  const usage: QuotaUsage = peer.usage;
  if (usage?.findExhausted?.('calls') === undefined || host.methods.of(method).urgent) return next(call);
  const acquired = acquire(usage as Usage, 'calls', (full): Answer => {
    if (peer.disconnected === true) return undefined;
    if (full === undefined) return next(call);
    throw overload(full, 'calls');
  });
  return acquired instanceof Promise ? acquired.catch((error: unknown) => reject(call, error)) : acquired;
};

/** Limits how many calls a caller may run concurrently, by the quotas of the endpoint. */
export const callQuota: Feature = () => ({ id: 'quota', checkQuota });

/** Makes that limit hold over all instances. */
export const sharedCallQuota: Feature = () => ({ id: 'shared-quota', acquireQuota });
