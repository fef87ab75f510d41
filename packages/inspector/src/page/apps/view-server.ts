import type { AppHostOptions, AppServer } from '@ccmcp/core/apps-host';
import { request } from '../model/api.ts';
import { awaitResult } from '../model/await-result.ts';

/** The server of a view, reached by the connection of the inspector: what the view asks for is in the timeline as all else. */
export function createViewServer(connection: string): AppServer {
  return {
    request: (method, params = {}, { signal } = {}) =>
      awaitUnlessAborted(signal, () => request('call', { connection, method, params, by: 'view' })),
  };
}

/** The answers of a model that a view asks for: questions to the person, like those of its server. */
export function createViewSampler(connection: string): NonNullable<AppHostOptions['sample']> {
  return (params, signal) => awaitUnlessAborted(signal, () => request('sample', { connection, params }));
}

/** The result of a call that is cancelled where nobody wants it any more. */
async function awaitUnlessAborted(
  signal: AbortSignal | undefined,
  start: () => Promise<{ call: string }>,
): Promise<object> {
  signal?.throwIfAborted();
  const { call } = await start();
  const cancel = () => void request('cancel', { call });
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await awaitResult(call);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
