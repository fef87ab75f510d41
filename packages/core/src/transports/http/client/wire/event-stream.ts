import { ConnectionError, HttpError } from '../../../../client/errors.ts';
import { pause } from '../../../../client/abort-signals.ts';
import type { StopSignal } from '../../../../client/abort-signals.ts';
import { readEvents, type StreamEvent } from './sse-events.ts';
import { isOk, mediaType, type HttpResponse } from './response.ts';
import { RetryPause } from './reconnect-backoff.ts';
import { limits } from '../../../../limits.ts';

/** How a stream is taken up again where it broke off: from this event on, or from now on. */
export type Resume = (lastEventId: string | undefined) => Promise<HttpResponse>;

/** What a stream is read for. */
export interface Following {
  signal: StopSignal;
  maxMessage: number;
  /** Takes the data of an event. */
  take(data: string): void;
  /** True when nothing more is wanted of this stream. */
  isDone(): boolean;
  /** Absent: a stream that broke off is lost. */
  resume?: Resume;
}

const mostFailures = limits.clientHttp.resumptions.value;

/** Reads a stream to its end, across however many connections that takes. */
export async function followStream(first: HttpResponse, following: Following): Promise<void> {
  const { signal, maxMessage, take, isDone, resume } = following;
  const retry = new RetryPause();
  let lastEventId: string | undefined;
  let response: HttpResponse | undefined = first;

  function note({ id, retryMs, data }: StreamEvent): void {
    retry.succeeded();
    if (id !== undefined) lastEventId = id;
    if (retryMs !== undefined) retry.wish(retryMs);
    if (data === undefined) return;
    retry.brought();
    take(data);
  }

  for (;;) {
    const broken = response === undefined ? undefined : await readOne(response);
    if (isDone() || signal.aborted) return;
    if (resume === undefined || lastEventId === undefined || retry.failures >= mostFailures) throw lost(broken);
    await pause(retry.milliseconds, signal);
    if (signal.aborted) return;
    retry.failed();
    response = await attempt(resume, lastEventId);
  }

  async function readOne(open: HttpResponse): Promise<unknown> {
    retry.opened();
    const broken = await readAll(open, maxMessage, note);
    retry.ended();
    return broken;
  }
}

/** Reads one connection until it ends; gives what broke it. */
export async function readAll(
  response: HttpResponse,
  maxMessage: number,
  note: (event: StreamEvent) => void,
): Promise<unknown> {
  try {
    for await (const event of readEvents(response.body, maxMessage)) note(event);
    return undefined;
  } catch (error) {
    return error;
  }
}

async function attempt(resume: Resume, lastEventId: string): Promise<HttpResponse | undefined> {
  let response: HttpResponse;
  try {
    response = await resume(lastEventId);
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
  if (isOk(response) && mediaType(response) === 'text/event-stream') return response;
  response.discard();
  // The server may not have noticed yet that the old connection is gone.
  if (response.status >= 500 || response.status === 409) return undefined;
  throw new HttpError(response.status, `The answer is lost: its stream could not be resumed (${response.status})`);
}

function lost(cause: unknown): ConnectionError {
  return new ConnectionError('The stream broke off before the answer came', { cause });
}
