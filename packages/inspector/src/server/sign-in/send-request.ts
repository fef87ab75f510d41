import type { HttpTap } from '@ccmcp/core/client';

const patienceMs = 10_000;
const longest = 65_536;

/** What a server answered to one request. */
export interface Asked {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly body: string;
}

/** Sends one message, or asks for one document, without following anything; the tap sees it. */
export async function ask(
  url: string,
  {
    method,
    headers,
    tap,
    about,
  }: { method: 'GET' | 'POST'; headers: Record<string, string>; tap: HttpTap; about: 'messages' | 'sign-in' },
): Promise<Asked> {
  const body = method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' }) : undefined;
  const sent = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    Accept: method === 'POST' ? 'application/json, text/event-stream' : 'application/json',
    ...headers,
  };
  const watch = tap.request({ method, url, headers: sent, body, about });
  try {
    await watch?.ready;
    const signal = AbortSignal.timeout(patienceMs);
    const answer = await fetch(url, { method, headers: sent, redirect: 'manual', signal, ...(body && { body }) });
    watch?.response({ status: answer.status, statusText: answer.statusText, headers: [...answer.headers] });
    const text = await beginning(answer);
    watch?.data(text);
    watch?.end();
    return { status: answer.status, challenge: answer.headers.get('www-authenticate') ?? undefined, body: text };
  } catch (error) {
    watch?.end(error);
    throw error;
  }
}

/** As much of an answer as is worth reading: a stream may never end. */
async function beginning(answer: Response): Promise<string> {
  if (answer.body === null) return '';
  const decoder = new TextDecoder();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let text = '';
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= longest || (isStream && text.includes('\n\n'))) break;
  }
  return text.slice(0, longest);
}
