import { ConnectionError, HttpError } from '../../../client/errors.ts';
import type { Receiver, Transport } from '../../../client/transport.ts';
import { encode, type Message } from '../../../jsonrpc/message.ts';
import { readAll } from '../../http/client/wire/event-stream.ts';
import type { StreamEvent } from '../../http/client/wire/parse-events.ts';
import { messagesIn, readRefusal } from '../../http/client/wire/read-answer.ts';
import { isOk, mediaType } from '../../http/client/wire/response.ts';
import { createSender, type HttpClientOptions, shown } from '../../http/client/wire/sender.ts';

const patienceMs = 10_000;

/** Talks to a server over HTTP+SSE: one stream for all that it says, and an address that it names for what we say. */
export function sseTransport(url: string | URL, options: HttpClientOptions = {}): Transport {
  const endpoint = new URL(url);
  const { maxMessage = 64 * 1024 * 1024 } = options;
  const http = createSender(options);
  let life = new AbortController();
  let target: URL | undefined;

  async function open(receiver: Receiver): Promise<void> {
    life = new AbortController();
    target = undefined;
    const { signal } = life;
    const response = await http(endpoint, { method: 'GET', headers: { accept: 'text/event-stream' }, signal });
    if (!isOk(response)) {
      const refusal = await readRefusal(response);
      throw refusal instanceof HttpError ? refusal : new HttpError(response.status, refusal.error.message);
    }
    if (mediaType(response) !== 'text/event-stream') {
      response.discard();
      throw new ConnectionError(`${shown(endpoint)} has no event stream`);
    }
    await new Promise<void>((resolve, reject) => {
      const take = ({ event, data = '' }: StreamEvent): void => {
        if (event === 'endpoint') {
          const named = addressIn(data, endpoint);
          if (named === undefined) return reject(new ConnectionError('The server names an address of another origin'));
          target = named;
          resolve();
        } else if (event === 'message') {
          receive(data, receiver);
        }
      };
      const readToEnd = async (): Promise<void> => {
        const cause = await readAll(response, maxMessage, take);
        const ended = new ConnectionError(`The stream of ${shown(endpoint)} ended`, { cause });
        if (target === undefined) reject(ended);
        else if (!signal.aborted) receiver.closed(ended);
      };
      void readToEnd();
    });
  }

  async function post(message: Message): Promise<void> {
    if (target === undefined) throw new ConnectionError('The stream is not open');
    const headers = { 'content-type': 'application/json' };
    const response = await http(target, { method: 'POST', headers, body: encode(message), signal: life.signal });
    if (isOk(response)) {
      response.discard();
      return;
    }
    const refusal = await readRefusal(response);
    throw refusal instanceof HttpError ? refusal : new HttpError(response.status, refusal.error.message);
  }

  return {
    streamPerRequest: false,
    only: 'handshake',
    async start(receiver) {
      const timer = setTimeout(() => life.abort(), patienceMs);
      try {
        await open(receiver);
      } catch (error) {
        life.abort();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    send: post,
    async close() {
      life.abort();
    },
  };
}

/** Messages, and the credentials with them, go to no other origin than the one that was chosen. */
function addressIn(data: string, base: URL): URL | undefined {
  try {
    const address = new URL(data, base);
    return address.origin === base.origin ? address : undefined;
  } catch {
    return undefined;
  }
}

function receive(data: string, receiver: Receiver): void {
  for (const classified of messagesIn(data)) {
    if (classified.kind === 'invalid') receiver.warn(`The server sent no message: ${classified.answer.error.message}`);
    else receiver.receive(classified.message);
  }
}
