import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Params } from '../../jsonrpc/message.ts';
import type { ToolListing } from '../../protocol/listing.ts';
import type { Requirement } from '../define/access-rule.ts';
import type { Store } from '../../stores/store.ts';
import { undeclaredError } from '../engine-state.ts';
import { internCaller, detachedPeer, type Job, type JobHandle, serializeCall, toRevision } from './background-job.ts';
import type { Call } from './call.ts';
import { HandlerContext } from './handler-context.ts';
import type { Operation } from './operation.ts';
import { ask, askHere, sealState } from './questions.ts';
import { assertTellable } from './result-size.ts';

/** The view of a call for handlers, middleware and extensions; created on first use. */
export function contextOf(call: Call): Operation {
  call.context ??= new OperationContext(call);
  return call.context;
}

/** The context that middleware and extensions get. */
export class OperationContext extends HandlerContext implements Operation {
  get params(): Params {
    return this.call.params;
  }

  get tool(): ToolListing | undefined {
    const { method, server, params, tool } = this.call;
    if (method !== 'tools/call') return undefined;
    return (tool ?? server.catalog.tools.entries.get(params.name as string))?.listing;
  }

  get host(): Operation['host'] {
    return this.call.host;
  }

  get era(): Operation['era'] {
    return this.call.revision.era;
  }

  get onAbort(): Operation['onAbort'] {
    return (listener) => this.call.execution.onAbort(listener);
  }

  get ask(): Operation['ask'] {
    return async (method, params, key) => ask(this.call, method, params, key);
  }

  get sealState(): Operation['sealState'] {
    return (state) => {
      const { call } = this;
      const answers = { ...call.openInquiry?.answers };
      return sealState(call, { answers, state });
    };
  }

  get suspendedState(): unknown {
    return this.call.openInquiry?.state;
  }

  get countedAs(): string {
    return this.call.peer.usage?.rateKey ?? this.auth?.principal ?? '';
  }

  get requirement(): Requirement | undefined {
    return this.call.requirement;
  }

  get builtInFeatures(): ReadonlySet<string> {
    return this.call.revision.builtInFeatures;
  }

  get sessionKey(): string | undefined {
    const { origin, session } = this.call.peer;
    return origin?.session ?? session?.key;
  }

  get job(): Job | undefined {
    return this.call.job;
  }

  get has(): Operation['has'] {
    return (requirement) => this.call.host.access.allows(this.call.peer, requirement);
  }

  get keepPrivate(): Operation['keepPrivate'] {
    return () => this.call.keepPrivate();
  }

  get shared(): Operation['shared'] {
    return (): Awaitable<Store> => this.call.peer.store ?? this.call.host.ownStore();
  }

  get notify(): Operation['notify'] {
    return (method, params = {}) => {
      const { server, job, isOver, peer } = this.call;
      const found = server.extensions.notification(method);
      if (found === undefined) throw undeclaredError(method);
      if (isOver || job !== undefined || !this.supports(found.extension.id)) return;
      if (peer.backpressured && found.notification.droppable) return;
      assertTellable(params, `"${method}"`, server.settings.maxResult);
      this.send(method, params);
    };
  }

  get askNow(): Operation['askNow'] {
    const { call } = this;
    if (call.peer.ask === undefined) return undefined;
    return (method, params, signal) => askHere(call, { method, params, signal });
  }

  get askLater(): Operation['askLater'] {
    const { peer, revision, host } = this.call;
    return () => {
      const ask = peer.askLater?.();
      if (ask === undefined) return undefined;
      const { auth, origin } = peer;
      return (method, params, signal) =>
        askHere({ peer: { auth, origin, ask }, revision, host }, { method, params, signal });
    };
  }

  get notifyLater(): Operation['notifyLater'] {
    const { peer } = this.call;
    if (peer.notify === undefined) return undefined;
    return (method, params) => peer.notify?.({ jsonrpc: '2.0', method, params });
  }

  get extendContext(): Operation['extendContext'] {
    return (members) => void Object.assign(this, members);
  }

  get serialize(): Operation['serialize'] {
    return () => serializeCall(this.call);
  }

  get toRevision(): Operation['toRevision'] {
    return (outcome, tool) => toRevision(this.call, outcome, tool);
  }

  get respondEarly(): Operation['respondEarly'] {
    return async (result, job, extension): Promise<JobHandle> => {
      const { call } = this;
      const { execution } = call;
      const assertAwaited = (): void => {
        if (!execution.isAwaited) throw new DOMException('The request is over', 'AbortError');
      };
      assertAwaited();
      await execution.beforeEarlyResponse?.(result, extension);
      assertAwaited();
      execution.complete(call.respond(result));
      forgetClient(call);
      if (this.lastProgress !== undefined) this.lastProgress = Number.NEGATIVE_INFINITY;
      execution.continueAs(job);
      call.job = job;
      return execution;
    };
  }
}

/** Keeps no more of a request than its serialized form has: the job may last for days. */
function forgetClient(call: Call): void {
  const { params } = serializeCall(call);
  if (call.params === call.received.params) call.params = params;
  call.received = { ...call.received, params };
  call.caller = internCaller(call.caller);
  call.peer = detachedPeer(call.peer);
}
