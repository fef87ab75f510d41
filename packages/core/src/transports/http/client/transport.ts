import { ConnectionError, HttpError, SessionLost } from '../../../client/errors.ts';
import type { Receiver, Transport } from '../../../client/transport.ts';
import {
  type Classified,
  encode,
  isObject,
  type Message,
  type Request,
  type RequestId,
} from '../../../jsonrpc/message.ts';
import type { Result } from '../../../protocol/results.ts';
import { claimsStateless } from '../../../revisions/admit.ts';
import { sseTransport } from '../../sse/client/transport.ts';
import { followStream } from './wire/event-stream.ts';
import { Mirror } from './mirrored-headers.ts';
import { messagesIn, readRefusal } from './wire/read-answer.ts';
import { isOk, mediaType, type HttpResponse } from './wire/response.ts';
import { createSender, type HttpClientOptions, shown, unreachable } from './wire/sender.ts';
import { openStanding } from './standing-stream.ts';

/** A session of the handshake era, as the server named it. */
interface Session {
  id: string | undefined;
  version: string | undefined;
}

const usualMaxMessage = 64 * 1024 * 1024;
const goodbyeMs = 2000;
/** After the answer a stream ends by itself, and its connection can be used again; but not all do. */
const lingerMs = 1000;

/** Talks to a server over Streamable HTTP in either era, or over HTTP+SSE where it knows nothing newer. */
export function httpTransport(url: string | URL, options: HttpClientOptions = {}): Transport {
  const endpoint = new URL(url);
  const { maxMessage = usualMaxMessage } = options;
  const http = createSender(options);
  /** What is being sent that has no answer. */
  const notices = new Map<AbortController, Promise<void>>();
  const running = new Map<RequestId, AbortController>();
  const mirror = new Mirror();
  let receiver: Receiver;
  let standing = new AbortController();
  let session: Session = { id: undefined, version: undefined };
  let older: Transport | undefined;

  function sessionHeaders(): Record<string, string> {
    return {
      ...(session.id !== undefined && { 'mcp-session-id': session.id }),
      ...(session.version !== undefined && { 'mcp-protocol-version': session.version }),
    };
  }

  function headersOf(message: Message): Record<string, string> {
    if (isStateless(message)) return mirror.headers(message);
    return 'method' in message && message.method === 'initialize' ? {} : sessionHeaders();
  }

  function post(message: Message): Promise<void> {
    const controller = new AbortController();
    if ('method' in message && 'id' in message) return exchange(message, controller, message);
    const sent = exchange(message, controller, undefined).finally(() => notices.delete(controller));
    notices.set(controller, sent);
    return sent;
  }

  async function exchange(message: Message, controller: AbortController, request: Request | undefined): Promise<void> {
    const isSessions = !isStateless(message) && request?.method !== 'initialize';
    const used = isSessions ? session.id : undefined;
    if (request !== undefined) running.set(request.id, controller);
    try {
      const response = await http(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headersOf(message),
        },
        body: encode(message),
        signal: controller.signal,
      });
      if (!isOk(response)) await refused(response, request, used);
      else if (request === undefined) response.discard();
      else await takeAnswer(response, request, controller);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      if (request !== undefined && running.get(request.id) === controller) running.delete(request.id);
    }
  }

  async function takeAnswer(response: HttpResponse, request: Request, controller: AbortController): Promise<void> {
    let answered = false;
    const opened = request.method === 'initialize' ? response.header('mcp-session-id') : undefined;
    const deliver = (classified: Classified): void => {
      if (classified.kind === 'invalid')
        return receiver.warn(`The server sent no message: ${classified.answer.error.message}`);
      const { message } = classified;
      const isAnswer = !('method' in message) && message.id === request.id;
      answered ||= isAnswer;
      receiver.receive(isAnswer ? understood(message, request, opened) : message);
    };
    const type = mediaType(response);
    if (type === 'application/json') {
      const text = await response
        .text(maxMessage)
        .catch((error: unknown) => Promise.reject(unreachable(endpoint, error)));
      if (text === undefined) throw new ConnectionError(`The answer is longer than ${maxMessage} bytes`);
      for (const classified of messagesIn(text)) deliver(classified);
    } else if (type === 'text/event-stream') {
      let linger: NodeJS.Timeout | undefined;
      await followStream(response, {
        signal: controller.signal,
        maxMessage,
        take(data) {
          for (const classified of messagesIn(data)) deliver(classified);
          if (answered) linger ??= setTimeout(() => controller.abort(), lingerMs);
        },
        isDone: () => answered,
        ...(!isStateless(request) && { resume: (lastEventId) => get(lastEventId, controller.signal) }),
      }).finally(() => clearTimeout(linger));
    } else {
      response.discard();
      throw new HttpError(
        response.status,
        `The server answered ${response.status} with "${type}" instead of a message`,
      );
    }
    if (!answered && !controller.signal.aborted)
      throw new ConnectionError(`No answer came with the response of ${shown(endpoint)}`);
  }

  /** Takes from an answer what concerns the transport itself. */
  function understood(message: Message, request: Request, sessionId: string | undefined): Message {
    if (!('result' in message)) return message;
    const result = message.result as Result;
    if (request.method === 'initialize') {
      const { protocolVersion } = result;
      session = { id: sessionId, version: typeof protocolVersion === 'string' ? protocolVersion : undefined };
    }
    if (request.method !== 'tools/list' || !isStateless(request) || !isObject(result)) return message;
    return { ...message, result: mirror.learn(result, (text) => receiver.warn(text)) };
  }

  async function refused(
    response: HttpResponse,
    request: Request | undefined,
    used: string | undefined,
  ): Promise<void> {
    if (response.status === 404 && used !== undefined) {
      response.discard();
      forget(used);
      throw new SessionLost('The server has forgotten the session');
    }
    const refusal = await readRefusal(response);
    if (request?.method === 'initialize' && isTooOld(response.status) && (await turnBack())) {
      await older?.send(request);
    } else if (refusal instanceof HttpError || request === undefined) {
      throw refusal instanceof HttpError ? refusal : new HttpError(response.status, refusal.error.message);
    } else {
      receiver.receive({ ...refusal, id: request.id });
    }
  }

  /** Leaves a session, unless that has been done and there is another. */
  function forget(id: string): void {
    if (session.id !== id) return;
    standing.abort();
    session = { id: undefined, version: undefined };
  }

  /** Tries the transport that was there before this one. */
  async function turnBack(): Promise<boolean> {
    const candidate = sseTransport(endpoint, options);
    try {
      await candidate.start(receiver);
      older = candidate;
      return true;
    } catch {
      return false;
    }
  }

  function get(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpResponse> {
    return http(endpoint, {
      method: 'GET',
      headers: {
        accept: 'text/event-stream',
        ...sessionHeaders(),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      signal,
    });
  }

  /** Says that the session is over. Servers need not care. */
  async function leave(): Promise<void> {
    const headers = sessionHeaders();
    if (session.id === undefined) return;
    session = { id: undefined, version: undefined };
    const response = await http(endpoint, { method: 'DELETE', headers, signal: AbortSignal.timeout(goodbyeMs) });
    response.discard();
  }

  return {
    streamPerRequest: true,
    place: endpoint.origin + endpoint.pathname,
    async start(by) {
      receiver = by;
      older = undefined;
    },
    send: (message) => (older === undefined ? post(message) : older.send(message)),
    abandon(id) {
      running.get(id)?.abort();
    },
    async openStream() {
      if (older !== undefined) return;
      standing.abort();
      standing = new AbortController();
      const { signal } = standing;
      await openStanding({
        signal,
        maxMessage,
        open: (lastEventId) => get(lastEventId, signal),
        take(data) {
          for (const classified of messagesIn(data)) {
            if (classified.kind !== 'invalid') receiver.receive(classified.message);
          }
        },
        warn: (text) => receiver.warn(text),
        gone() {
          if (session.id === undefined) return;
          forget(session.id);
          receiver.sessionLost();
        },
      });
    },
    async close() {
      standing.abort();
      for (const controller of running.values()) controller.abort();
      const late = setTimeout(() => notices.forEach((_, controller) => controller.abort()), goodbyeMs);
      await Promise.allSettled(notices.values());
      clearTimeout(late);
      await older?.close();
      await leave().catch(() => {});
    },
  };
}

function isStateless(message: Message): message is Request {
  return 'method' in message && claimsStateless(message.params);
}

function isTooOld(status: number): boolean {
  return status === 400 || status === 404 || status === 405;
}
