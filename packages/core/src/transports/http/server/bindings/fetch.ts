import type { Body, EventSink, HttpHeaders, HttpRequest, HttpResponder, Serve } from './binding.ts';

/** Serves web-standard requests. */
export function fetchBinding(serve: Serve): (request: Request) => Promise<Response> {
  return (request) =>
    new Promise((resolve, reject) => {
      Promise.resolve(serve(toRequest(request), toResponder(request, resolve))).catch(reject);
    });
}

function toRequest(request: Request): HttpRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    address: undefined,
    // A runtime may keep the Host header to itself: the address then says it.
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : undefined),
    body: (limit) => readBody(request, limit),
  };
}

async function readBody(request: Request, limit: number): Promise<Body> {
  if (Number(request.headers.get('content-length')) > limit) return { problem: 'too-large' };
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > limit) return { problem: 'too-large' };
      chunks.push(chunk);
    }
  } catch {
    return { problem: 'cut-off' };
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: 'not-utf8' };
  }
}

function toResponder(request: Request, resolve: (response: Response) => void): HttpResponder {
  const listeners: (() => void)[] = [];
  const gone = (): void => {
    for (const listener of listeners) listener();
  };
  request.signal.addEventListener('abort', gone, { once: true });
  return {
    send: (status, headers, body) => resolve(new Response(body ?? null, { status, headers: toHeaders(headers) })),
    stream: (headers) => {
      const { sink, readable } = eventStream(gone);
      resolve(new Response(readable, { status: 200, headers: toHeaders(headers) }));
      return sink;
    },
    onGone: (listener) => {
      if (request.signal.aborted) listener();
      else listeners.push(listener);
    },
  };
}

function toHeaders(list: HttpHeaders): Headers {
  const headers = new Headers();
  for (let index = 0; index < list.length; index += 2) headers.set(list[index] as string, list[index + 1] as string);
  return headers;
}

function eventStream(onCancel: () => void): { sink: EventSink; readable: ReadableStream<Uint8Array> } {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let drained: (() => void) | undefined;
  let open = true;
  const readable = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      // Called when somebody reads and nothing is there.
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
      if (open) controller?.enqueue(encoder.encode(text));
    },
    end: () => {
      if (open) controller?.close();
      open = false;
    },
    cut: () => {
      controller?.error(new Error('The reader was too slow'));
      open = false;
    },
    get unsent() {
      return open ? -(controller?.desiredSize ?? 0) : 0;
    },
    onDrain: (listener) => {
      drained = listener;
    },
  };
  return { sink, readable };
}
