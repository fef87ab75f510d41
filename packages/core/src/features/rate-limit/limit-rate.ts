import type { Feature } from '../../server/engine.ts';
import type { Peer } from '../../server/peer.ts';
import { reject } from '../../server/pipeline/reject.ts';
import type { RequestStep, Step } from '../../server/pipeline/step.ts';
import { countCall } from './count-call.ts';
import type { RateCounter, RatedUsage } from './rate-limit.ts';

/** Counts each request with the counter for its peer, if there is one. */
function limitRequests(counterFor: (peer: Peer) => RateCounter | undefined): RequestStep {
  return (serve) => (call) => {
    const { peer, host, method } = call;
    const counter = counterFor(peer);
    if (counter === undefined || host.methods.of(method).urgent) return serve(call);
    const counted = countCall(counter, peer, 'requests');
    if (counted === undefined) return serve(call);
    return counted
      .then(() => (peer.disconnected === true ? undefined : serve(call)))
      .catch((error: unknown) => reject(call, error));
  };
}

/** Limits the rate of requests by the counters of their endpoints. */
export const endpointRateLimit: Feature = () => ({
  id: 'endpoint-rate-limit',
  limitRate: limitRequests(({ usage }: { readonly usage?: Partial<RatedUsage> }) => usage?.terms?.rates),
});

/** Limits the rate of requests to a server, including those that a composed server forwards. */
export function serverRateLimit(counter: RateCounter | undefined): Feature {
  if (counter === undefined) return () => undefined;
  const limitPassed: Step = (run) => (call) => {
    const counted = countCall(counter, call.peer, 'requests');
    return counted === undefined ? run(call) : counted.then(() => run(call));
  };
  return () => ({ id: 'rate-limit', limitRate: limitRequests(() => counter), limitPassed });
}
