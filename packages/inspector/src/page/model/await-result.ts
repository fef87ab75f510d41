import { effect } from '@preact/signals';
import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import type { CallEnd } from '../../shared/calls.ts';
import { fetchJson } from './api.ts';
import { useAppState } from './store.ts';

/** Waits for the end of a call and returns its result; throws a server error with its code. */
export async function awaitResult(call: string): Promise<object> {
  const { cut, result, error } = await awaitEnd(call);
  if (error !== undefined) throw Object.assign(new Error(error.says), { code: error.code, data: error.data });
  return (cut ? (await fetchJson<FullCall>(apiPaths.call(call))).result : result) as object;
}

function awaitEnd(call: string): Promise<CallEnd> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const end = useAppState('calls').calls.get(call)?.end;
      if (end === undefined) return;
      resolve(end);
      queueMicrotask(() => stop());
    });
  });
}
