import { textOf } from '../../../../jsonrpc/text.ts';
import type { Usage } from '../../../../features/quotas/quota.ts';
import { countChunk } from './body-quota.ts';
import { SlowConsumers, type Consumer } from './slow-consumers.ts';
import {
  type Body,
  type EventSink,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponder,
  responseHeaders,
  type Serve,
} from './binding.ts';

/** Serves web-standard requests. */
export function fetchBinding(
  serve: Serve,
  consumers: SlowConsumers = new SlowConsumers(),
): (request: Request) => Promise<Response> {
  return (request) =>
    new Promise((resolve, reject) => {
      Promise.resolve(serve(toRequest(request), toResponder(request, consumers, resolve))).catch(reject);
    });
}

function toRequest(request: Request): HttpRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    mount: '',
    query: url.searchParams,
    address: undefined,
    // A runtime may keep the Host header to itself: the address then says it.
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : undefined),
    body: (limit, usage) => readBody(request, limit, usage),
  };
}

async function readBody(request: Request, limit: number, usage: Usage): Promise<Body> {
  if (Number(request.headers.get('content-length')) > limit) return { problem: 'too-large' };
  const chunks: Uint8Array[] = [];
  let length = 0;
  let taken = 0;
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > limit) return { problem: 'too-large' };
      const full = countChunk(usage, chunk.length, length);
      if (full !== undefined) return { problem: 'no-room', full };
      taken = length;
      chunks.push(chunk);
    }
  } catch {
    return { problem: 'cut-off' };
  } finally {
    usage.release('incoming', taken);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  const text = textOf(bytes);
  return text === undefined ? { problem: 'not-utf8' } : { text };
}

function toResponder(request: Request, consumers: SlowConsumers, resolve: (response: Response) => void): HttpResponder {
  const listeners: (() => void)[] = [];
  const onAbort = (): void => {
    for (const listener of listeners) listener();
  };
  request.signal.addEventListener('abort', onAbort, { once: true });
  return {
    send: (status, headers, body) => {
      const isLong = body !== undefined && body.length > piece;
      const given = isLong ? toStreamBody(body, consumers) : { body: body ?? null, more: [] };
      resolve(new Response(given.body, { status, headers: toHeaders([...headers, ...given.more]) }));
    },
    backpressured: false,
    stream: (headers) => {
      const { sink, readable } = eventStream(onAbort, consumers);
      resolve(new Response(readable, { status: 200, headers: toHeaders(headers) }));
      return sink;
    },
    onDisconnect: (listener) => {
      if (request.signal.aborted) listener();
      else listeners.push(listener);
    },
  };
}

function toHeaders(list: HttpHeaders): Headers {
  const headers = new Headers();
  const all = responseHeaders(list);
  for (let index = 0; index < all.length; index += 2) headers.append(all[index] as string, all[index + 1] as string);
  return headers;
}

/** A longer body is passed to the reader in chunks of this length, to measure how much it has read. */
const piece = 64 * 1024;

function toStreamBody(text: string, consumers: SlowConsumers): { body: ReadableStream<Uint8Array>; more: HttpHeaders } {
  let rest = new TextEncoder().encode(text);
  const { length } = rest;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const consumer: Consumer = {
    get unsent() {
      return rest.length;
    },
    get taken() {
      return length - rest.length;
    },
    drop: () => {
      rest = new Uint8Array();
      controller?.error(slowConsumerError());
    },
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: (given) => {
        given.enqueue(rest.subarray(0, piece));
        rest = rest.subarray(piece);
        if (rest.length === 0) given.close();
      },
      cancel: () => {
        rest = new Uint8Array();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  consumers.watch(consumer);
  return { body, more: ['Content-Length', String(length)] };
}

function slowConsumerError(): Error {
  return new Error('The reader was too slow');
}

function eventStream(
  onCancel: () => void,
  consumers: SlowConsumers,
): { sink: EventSink; readable: ReadableStream<Uint8Array> } {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let drained: (() => void) | undefined;
  let open = true;
  let written = 0;
  // Data may still be unread after the end.
  const unsent = (): number => -(controller?.desiredSize ?? 0);
  const cut = (): void => {
    open = false;
    controller?.error(slowConsumerError());
  };
  const consumer: Consumer = {
    get unsent() {
      return unsent();
    },
    get taken() {
      return written - unsent();
    },
    drop: () => {
      cut();
      onCancel();
    },
  };
  const readable = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      // Called when the consumer reads and the queue is empty.
      pull: () => drained?.(),
      cancel: () => {
        open = false;
        onCancel();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  const sink: EventSink = {
    write: (text) => {
      if (!open) return;
      const bytes = encoder.encode(text);
      written += bytes.length;
      controller?.enqueue(bytes);
      if (unsent() > 0) consumers.watch(consumer);
    },
    end: () => {
      if (open) controller?.close();
      open = false;
    },
    cut,
    get unsent() {
      return open ? unsent() : 0;
    },
    get full() {
      return consumers.backpressured;
    },
    onDrain: (listener) => {
      drained = listener;
    },
  };
  return { sink, readable };
}
