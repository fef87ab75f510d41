import { ConnectionError, HttpError } from '../../../../client/errors.ts';
import { delay, type AbortSignalLike } from '../../../../client/abort-signals.ts';
import { parseEvents, type StreamEvent } from './sse-events.ts';
import { isOk, mediaType, type HttpResponse } from './response.ts';
import { ReconnectBackoff } from './reconnect-backoff.ts';

/** Resumes a broken stream: after an event, or from now on. */
export type Resume = (lastEventId: string | undefined) => Promise<HttpResponse>;

/** Options of a stream. */
export interface StreamOptions {
  signal: AbortSignalLike;
  maxMessage: number;
  /** Called with the data of an event. */
  onData(data: string): void;
  /** True when the rest of the stream is not needed. */
  isDone(): boolean;
  /** Absent: a broken stream is lost. */
  resume?: Resume;
}

/** The maximum of consecutive failures to resume the stream of an answer. */
const maxFailures = 5;

/** Reads a stream to its end; reconnects with backoff where it breaks. */
export async function followStream(first: HttpResponse, options: StreamOptions): Promise<void> {
  const { signal, maxMessage, onData, isDone, resume } = options;
  const backoff = new ReconnectBackoff();
  let lastEventId: string | undefined;
  let response: HttpResponse | undefined = first;

  function onEvent({ id, retryMs, data }: StreamEvent): void {
    backoff.onSuccess();
    if (id !== undefined) lastEventId = id;
    if (retryMs !== undefined) backoff.setServerDelay(retryMs);
    if (data === undefined) return;
    backoff.onMessage();
    onData(data);
  }

  for (;;) {
    const broken = response === undefined ? undefined : await readOne(response);
    if (isDone() || signal.aborted) return;
    if (resume === undefined || lastEventId === undefined || backoff.failures >= maxFailures) throw streamLost(broken);
    await delay(backoff.delayMs, signal);
    if (signal.aborted) return;
    backoff.onFailure();
    response = await reconnect(resume, lastEventId);
  }

  async function readOne(open: HttpResponse): Promise<unknown> {
    backoff.onOpen();
    const broken = await readConnection(open, maxMessage, onEvent);
    backoff.onEnd();
    return broken;
  }
}

/** Reads one connection until it ends; resolves with its error, if any. */
export async function readConnection(
  response: HttpResponse,
  maxMessage: number,
  onEvent: (event: StreamEvent) => void,
): Promise<unknown> {
  try {
    for await (const event of parseEvents(response.body, maxMessage)) onEvent(event);
    return undefined;
  } catch (error) {
    return error;
  }
}

async function reconnect(resume: Resume, lastEventId: string): Promise<HttpResponse | undefined> {
  let response: HttpResponse;
  try {
    response = await resume(lastEventId);
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
  if (isOk(response) && mediaType(response) === 'text/event-stream') return response;
  response.discard();
  // The server may not have noticed yet that the old connection is closed.
  if (response.status >= 500 || response.status === 409) return undefined;
  throw new HttpError(response.status, `The answer is lost: its stream could not be resumed (${response.status})`);
}

function streamLost(cause: unknown): ConnectionError {
  return new ConnectionError('The stream ended before the answer came', { cause });
}
