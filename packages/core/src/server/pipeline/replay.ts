import type { Request } from '../../jsonrpc/message.ts';
import { revisionOf } from '../../revisions/history.ts';
import type { Store } from '../../stores/store.ts';
import { detachedPeer, type Job, type JobHandle, type SerializedCall } from '../call/background-job.ts';
import { Call } from '../call/call.ts';
import type { Outcome } from '../call/operation.ts';
import type { EngineState } from '../engine-state.ts';
import { prepare, track } from './execute.ts';
import { findMethod } from './identify.ts';
import type { Run } from './step.ts';

/** Replays a serialized call as a job. It starts in a later tick, so that the caller gets its handle first. */
export function replay(
  server: EngineState & { run: Run },
  serialized: SerializedCall,
  job: Job,
  store: Store,
): JobHandle {
  const { method, params, auth, capabilities, clientInfo, answers } = serialized;
  const revision = revisionOf(serialized.revision);
  if (revision === undefined)
    throw new TypeError(`The call was kept in revision ${serialized.revision}, which is not known`);
  const request: Request = { jsonrpc: '2.0', id: 0, method, params };
  const call = new Call(server, request, detachedPeer({ ...(auth && { auth }), store }));
  call.caller = { revision, capabilities, clientInfo, logLevel: undefined };
  if (answers !== undefined) call.inquiry.answers = answers;
  call.job = job;
  const run = async (): Promise<Outcome> => {
    findMethod(call);
    await prepare(call);
    return call.isOver ? {} : await server.run(call);
  };
  void track(call, Promise.resolve().then(run));
  return call.execution;
}
