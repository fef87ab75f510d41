import type { StreamEvent } from './wire/sse-events.ts';
import { delay } from '../../../client/abort-signals.ts';
import { readConnection, type Resume } from './wire/event-stream.ts';
import { isOk, mediaType } from './wire/response.ts';
import { ReconnectBackoff } from './wire/reconnect-backoff.ts';
import { limits } from '../../../limits.ts';

/** Options of the server stream. */
export interface ServerStreamOptions {
  signal: AbortSignal;
  maxMessage: number;
  open: Resume;
  onData(data: string): void;
  warn(text: string): void;
  /** A stream that was open can't be reopened: the server dropped the session. */
  onSessionLost(): void;
}

/** Messages before the stream is open are lost, but not every server has one, or says so. */
const openTimeoutMs = limits.clientHttp.standingStreamMs.value;

/** Keeps a stream open for messages that the server sends unasked. Resolves when it is open, or when there is none. */
export function openServerStream(options: ServerStreamOptions): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, openTimeoutMs);
    const ready = (): void => {
      clearTimeout(timer);
      resolve();
    };
    void keepOpen(options, ready).finally(ready);
  });
}

async function keepOpen(
  { signal, maxMessage, open, onData: take, warn, onSessionLost: gone }: ServerStreamOptions,
  ready: () => void,
): Promise<void> {
  let lastEventId: string | undefined;
  const retry = new ReconnectBackoff();
  let wasOpen = false;
  const onEvent = ({ id, retryMs, data }: StreamEvent): void => {
    if (id !== undefined) lastEventId = id;
    if (retryMs !== undefined) retry.setServerDelay(retryMs);
    if (data === undefined) return;
    retry.onMessage();
    take(data);
  };
  while (!signal.aborted) {
    const response = await open(lastEventId).catch(() => undefined);
    if (signal.aborted) return;
    if (response !== undefined && isOk(response) && mediaType(response) === 'text/event-stream') {
      ready();
      wasOpen = true;
      retry.onSuccess();
      retry.onOpen();
      await readConnection(response, maxMessage, onEvent);
      retry.onEnd();
    } else {
      response?.discard();
      const status = response?.status ?? 0;
      if (isFinal(status)) {
        if (status === 404 && wasOpen) gone();
        else if (!meansNoStream(status)) warn(`The server's event stream could not be opened (${status})`);
        return;
      }
      retry.onFailure();
    }
    await delay(retry.delayMs, signal);
  }
}

/** False for statuses that may pass: no connection, a server error, or a stream the server still considers open. */
function isFinal(status: number): boolean {
  return status === 501 || (status !== 0 && status < 500 && status !== 409 && status !== 429);
}

/** The usual statuses of a server without such a stream. */
function meansNoStream(status: number): boolean {
  return status === 405 || status === 404 || status === 501;
}
