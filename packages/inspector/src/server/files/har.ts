import type { InspectorEvent } from '../../shared/events.ts';
import type { Headers } from '../../shared/messages.ts';
import type { EventLog } from '../log/event-log.ts';

/** One exchange. */
interface Exchange {
  readonly request: InspectorEvent<'http-request'>;
  response?: InspectorEvent<'http-response'>;
  end?: InspectorEvent<'http-end'>;
  readonly sent: string[];
  readonly received: string[];
}

/** Exports all stored HTTP exchanges as HAR 1.2, with secrets masked. */
export function createHar(log: EventLog, version: string): object {
  const exchanges = new Map<string, Exchange>();
  for (const { n, json } of log.after(0)) {
    const event = JSON.parse(json) as InspectorEvent;
    if (event.type === 'http-request') exchanges.set(event.exchange, { request: event, sent: [], received: [] });
    const known = 'exchange' in event && event.exchange !== undefined ? exchanges.get(event.exchange) : undefined;
    if (known === undefined) continue;
    if (event.type === 'http-response') known.response = event;
    else if (event.type === 'http-end') known.end = event;
    else if (event.type === 'message') {
      const text = log.texts.get(n)?.text ?? event.text;
      (event.from === 'client' ? known.sent : known.received).push(text);
    }
  }
  const entries = Array.from(exchanges.values(), toHarEntry);
  return { log: { version: '1.2', creator: { name: 'ccmcp inspector', version }, entries } };
}

function toHarEntry({ request, response, end, sent, received }: Exchange): object {
  const wait = response?.ms ?? end?.ms ?? 0;
  const all = end?.ms ?? wait;
  const type = findHeader(response?.headers ?? [], 'content-type');
  const body = request.body ?? (sent.length === 0 ? undefined : sent.join('\n'));
  const text = end?.body ?? joinMessages(received, type);
  return {
    startedDateTime: new Date(request.at).toISOString(),
    time: all,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      headers: toNameValues(request.headers),
      queryString: Array.from(new URL(request.url).searchParams, ([name, value]) => ({ name, value })),
      cookies: [],
      headersSize: -1,
      bodySize: request.bytes,
      ...(body !== undefined && { postData: { mimeType: findHeader(request.headers, 'content-type'), text: body } }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.statusText ?? '',
      httpVersion: 'HTTP/1.1',
      headers: toNameValues(response?.headers ?? []),
      cookies: [],
      redirectURL: findHeader(response?.headers ?? [], 'location'),
      headersSize: -1,
      bodySize: end?.bytes ?? -1,
      content: { size: end?.bytes ?? 0, mimeType: type, ...(text !== '' && { text }) },
      ...(end?.error !== undefined && { _error: end.error }),
    },
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, all - wait) },
    ...(request.connection !== undefined && { comment: request.connection }),
  };
}

function joinMessages(messages: readonly string[], type: string): string {
  if (!type.startsWith('text/event-stream')) return messages.join('\n');
  return messages.map((text) => `data: ${text.replaceAll('\n', '\ndata: ')}\n\n`).join('');
}

function toNameValues(headers: Headers): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function findHeader(headers: Headers, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}
