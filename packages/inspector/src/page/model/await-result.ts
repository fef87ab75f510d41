import { effect } from '@preact/signals';
import { addresses, type WholeCall } from '../../shared/api-paths.ts';
import type { CallEnd } from '../../shared/calls.ts';
import { get } from './api.ts';
import { useWorld } from './store.ts';

/** Waits for the end of a call, and gives its result; an error of the server is thrown with its code. */
export async function resultOf(call: string): Promise<object> {
  const { cut, result, error } = await endOf(call);
  if (error !== undefined) throw Object.assign(new Error(error.says), { code: error.code, data: error.data });
  return (cut ? (await get<WholeCall>(addresses.call(call))).result : result) as object;
}

function endOf(call: string): Promise<CallEnd> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const end = useWorld('calls').calls.get(call)?.end;
      if (end === undefined) return;
      resolve(end);
      queueMicrotask(() => stop());
    });
  });
}
