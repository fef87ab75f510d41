import type { HttpTap } from '@ccmcp/core/client';

const timeoutMs = 10_000;
const maxLength = 65_536;

/** Response to a request. */
export interface RequestResult {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly body: string;
}

/** Sends one message or fetches one document, without following redirects; the tap observes it. */
export async function sendRequest(
  url: string,
  {
    method,
    headers,
    tap,
    about,
  }: { method: 'GET' | 'POST'; headers: Record<string, string>; tap: HttpTap; about: 'messages' | 'sign-in' },
): Promise<RequestResult> {
  const body = method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' }) : undefined;
  const sent = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    Accept: method === 'POST' ? 'application/json, text/event-stream' : 'application/json',
    ...headers,
  };
  const watch = tap.request({ method, url, headers: sent, body, about });
  try {
    await watch?.ready;
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { method, headers: sent, redirect: 'manual', signal, ...(body && { body }) });
    watch?.response({ status: answer.status, statusText: answer.statusText, headers: [...answer.headers] });
    const text = await readStart(answer);
    watch?.data(text);
    watch?.end();
    return { status: answer.status, challenge: answer.headers.get('www-authenticate') ?? undefined, body: text };
  } catch (error) {
    watch?.end(error);
    throw error;
  }
}

/** Reads the start of a response: a stream may never end. */
async function readStart(answer: Response): Promise<string> {
  if (answer.body === null) return '';
  const decoder = new TextDecoder();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let text = '';
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= maxLength || (isStream && text.includes('\n\n'))) break;
  }
  return text.slice(0, maxLength);
}
