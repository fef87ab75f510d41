import type { StreamEvent } from './wire/sse-events.ts';
import { delay } from '../../../client/abort-signals.ts';
import { readConnection, type Resume } from './wire/event-stream.ts';
import { isOk, mediaType } from './wire/response.ts';
import { ReconnectBackoff } from './wire/reconnect-backoff.ts';

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
const openTimeoutMs = 1000;

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
  { signal, maxMessage, open, onData, warn, onSessionLost }: ServerStreamOptions,
  ready: () => void,
): Promise<void> {
  let lastEventId: string | undefined;
  const backoff = new ReconnectBackoff();
  let wasOpen = false;
  const onEvent = ({ id, retryMs, data }: StreamEvent): void => {
    if (id !== undefined) lastEventId = id;
    if (retryMs !== undefined) backoff.setServerDelay(retryMs);
    if (data === undefined) return;
    backoff.onMessage();
    onData(data);
  };
  while (!signal.aborted) {
    const response = await open(lastEventId).catch(() => undefined);
    if (signal.aborted) return;
    if (response !== undefined && isOk(response) && mediaType(response) === 'text/event-stream') {
      ready();
      wasOpen = true;
      backoff.onSuccess();
      backoff.onOpen();
      await readConnection(response, maxMessage, onEvent);
      backoff.onEnd();
    } else {
      response?.discard();
      const status = response?.status ?? 0;
      if (isFinal(status)) {
        if (status === 404 && wasOpen) onSessionLost();
        else if (!isStreamUnsupported(status)) warn(`The server's event stream could not be opened (${status})`);
        return;
      }
      backoff.onFailure();
    }
    await delay(backoff.delayMs, signal);
  }
}

/** False for statuses that may pass: no connection, a server error, or a stream the server still considers open. */
function isFinal(status: number): boolean {
  return status === 501 || (status !== 0 && status < 500 && status !== 409 && status !== 429);
}

/** The usual statuses of a server without such a stream. */
function isStreamUnsupported(status: number): boolean {
  return status === 405 || status === 404 || status === 501;
}
