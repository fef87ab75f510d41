import { ConnectionError } from '../../../client/errors.ts';
import type { Receiver, Transport } from '../../../client/transport.ts';
import { encode, type Message } from '../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../protocol/methods.ts';
import { mustSendOnce, type HttpResponse, isOk, mediaType } from '../../http/client/wire/response.ts';
import { readConnection } from '../../http/client/wire/event-stream.ts';
import type { StreamEvent } from '../../http/client/wire/sse-events.ts';
import { toHttpError, readErrorResponse, deliverMessages } from '../../http/client/wire/parse-response.ts';
import { createSender, type HttpClientOptions, displayUrl, parseEndpoint } from '../../http/client/wire/sender.ts';
import { limits } from '../../../limits.ts';

/** Time for an HTTP+SSE server to open its stream. */
const openTimeoutMs = 10 * 1000;

/** Connects over HTTP+SSE: one stream from the server, and an endpoint it announces for messages to it. */
export function sseTransport(url: string | URL, options: HttpClientOptions = {}): Transport {
  const endpoint = parseEndpoint(url, 'sseTransport');
  const { maxMessage = limits.clientHttp.maxMessage.value } = options;
  const http = createSender(options);
  let life = new AbortController();
  let target: URL | undefined;
  let methods: MethodTable | undefined;

  async function open(receiver: Receiver): Promise<void> {
    life = new AbortController();
    target = undefined;
    ({ methods } = receiver);
    const { signal } = life;
    const response = await http(endpoint, { method: 'GET', headers: { accept: 'text/event-stream' }, signal });
    await checkStream(response, endpoint);
    target = await readStream(response, { endpoint, maxMessage, receiver, signal });
  }

  async function send(message: Message): Promise<void> {
    if (target === undefined) throw new ConnectionError('The stream is not open');
    const headers = { 'content-type': 'application/json' };
    const once = methods === undefined || mustSendOnce(message, methods);
    const { signal } = life;
    const response = await http(target, { method: 'POST', headers, body: encode(message), signal, once });
    if (!isOk(response)) throw toHttpError(response, await readErrorResponse(response));
    response.discard();
  }

  return {
    streamPerRequest: false,
    kind: 'sse',
    only: 'handshake',
    async start(receiver) {
      const timer = setTimeout(() => life.abort(), openTimeoutMs);
      try {
        await open(receiver);
      } catch (error) {
        life.abort();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    send,
    async close() {
      life.abort();
    },
  };
}

async function checkStream(response: HttpResponse, endpoint: URL): Promise<void> {
  if (!isOk(response)) throw toHttpError(response, await readErrorResponse(response));
  if (mediaType(response) === 'text/event-stream') return;
  response.discard();
  throw new ConnectionError(`${displayUrl(endpoint)} has no event stream`);
}

/** Options for reading a stream. */
interface Reading {
  readonly endpoint: URL;
  readonly maxMessage: number;
  readonly receiver: Receiver;
  readonly signal: AbortSignal;
}

/** Reads a stream to its end. Resolves with the endpoint as soon as the server announces it. */
function readStream(response: HttpResponse, { endpoint, maxMessage, receiver, signal }: Reading): Promise<URL> {
  let isOpen = false;
  return new Promise((resolve, reject) => {
    const take = ({ event, data = '' }: StreamEvent): void => {
      if (event === 'message') deliverMessages(data, receiver);
      if (event !== 'endpoint') return;
      const target = addressIn(data, endpoint);
      if (target === undefined) return reject(new ConnectionError('The server names an address of another origin'));
      isOpen = true;
      resolve(target);
    };
    const readToEnd = async (): Promise<void> => {
      const cause = await readConnection(response, maxMessage, take);
      const ended = new ConnectionError(`The stream of ${displayUrl(endpoint)} ended`, { cause });
      if (!isOpen) reject(ended);
      else if (!signal.aborted) receiver.closed(ended);
    };
    void readToEnd();
  });
}

/** Messages and credentials go to no other origin. */
function addressIn(data: string, base: URL): URL | undefined {
  try {
    const address = new URL(data, base);
    return address.origin === base.origin ? address : undefined;
  } catch {
    return undefined;
  }
}
