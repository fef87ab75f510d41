import type { AppHostOptions, AppServer } from '@ccmcp/core/apps-host';
import { ask } from '../model/api.ts';
import { resultOf } from '../model/await-result.ts';

/** The server of a view, reached by the connection of the inspector: what the view asks for is in the timeline as all else. */
export function serverOfView(connection: string): AppServer {
  return {
    request: (method, params = {}, { signal } = {}) =>
      resultUnless(signal, () => ask('call', { connection, method, params, by: 'view' })),
  };
}

/** The answers of a model that a view asks for: questions to the person, like those of its server. */
export function samplesForView(connection: string): NonNullable<AppHostOptions['sample']> {
  return (params, signal) => resultUnless(signal, () => ask('sample', { connection, params }));
}

/** The result of a call that is cancelled where nobody wants it any more. */
async function resultUnless(signal: AbortSignal | undefined, start: () => Promise<{ call: string }>): Promise<object> {
  signal?.throwIfAborted();
  const { call } = await start();
  const cancel = () => void ask('cancel', { call });
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await resultOf(call);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
