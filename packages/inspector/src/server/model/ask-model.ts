import { limits } from '@ccmcp/core';
import type { HttpTap } from '@ccmcp/core/client';
import type { ModelService } from '../../shared/models.ts';
import { Refusal } from '../targets.ts';
import { anthropic } from './anthropic.ts';
import { notReached, notUnderstood, refusedBy, type Unfit } from './model-errors.ts';
import { openai } from './openai.ts';
import { type ModelSettings, withoutKey } from './settings.ts';
import { type ModelAnswer, type ModelWish, ToolNames, type Translation } from './adapter.ts';

const longest = limits.inspector.modelAnswer.value;

const translations: Readonly<Record<ModelService, Translation>> = { anthropic, openai };

/** What a model is asked with. */
export interface Sending {
  readonly settings: ModelSettings;
  readonly wish: ModelWish;
  readonly signal: AbortSignal;
  /** Sees what passes, without the key. */
  readonly tap: HttpTap;
}

/** Asks a model, at the one address that was set up. What comes of it has no key in it; what goes wrong is a refusal. */
export async function askModel({ settings, wish, signal, tap }: Sending): Promise<ModelAnswer> {
  const { known, key } = settings;
  const translation = translations[known.service];
  const names = new ToolNames();
  const mask = withoutKey(key);
  let body = translation.request(wish, names);
  let answer = await send(settings, { body, signal, tap });
  // Some others know the newer name of the bound only, and say so.
  if (answer.status === 400 && answer.body.includes('max_completion_tokens') && 'max_tokens' in body) {
    const { max_tokens: most, ...others } = body;
    body = { ...others, max_completion_tokens: most };
    answer = await send(settings, { body, signal, tap });
  }
  const clean = { ...answer, body: mask(answer.body) };
  if (answer.status < 200 || answer.status >= 300) throw refusedBy(known, clean);
  const found = translation.answer(valueOf(clean.body), wish, names);
  if (found === undefined) throw notUnderstood(known, clean);
  return found;
}

interface Request {
  readonly body: Record<string, unknown>;
  readonly signal: AbortSignal;
  readonly tap: HttpTap;
}

async function send({ known, key, timeoutMs }: ModelSettings, { body, signal, tap }: Request): Promise<Unfit> {
  const mask = withoutKey(key);
  const text = JSON.stringify(body);
  const url = known.endpoint;
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'User-Agent': 'ccmcp-inspector',
    ...translations[known.service].headers(key),
  };
  const watch = tap.request({ method: 'POST', url, headers, body: mask(text), about: 'messages' });
  const stop = new AbortController();
  const give = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', give, { once: true });
  const timer = setTimeout(() => stop.abort(new DOMException('', 'TimeoutError')), timeoutMs);
  try {
    signal.throwIfAborted();
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: text,
      redirect: 'manual',
      signal: stop.signal,
    });
    const { status, statusText } = answer;
    const shown = Array.from(answer.headers, ([name, value]) => [name, mask(value)] as [string, string]);
    watch?.response({ status, statusText: mask(statusText), headers: shown });
    const got = await whole(answer);
    watch?.data(mask(got));
    watch?.end();
    return {
      status,
      body: got,
      type: answer.headers.get('content-type') ?? '',
      location: answer.headers.get('location') ?? undefined,
      retryAfter: answer.headers.get('retry-after') ?? undefined,
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
    const why = error instanceof Refusal ? error : notReached(known, reason, timeoutMs);
    watch?.end(why);
    throw why;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', give);
    // Told once: after what came whole this changes nothing.
    watch?.end(signal.aborted ? new Error('Not wanted any more') : undefined);
  }
}

/** A whole answer, unless it is longer than any that a model gives. */
async function whole(answer: Response): Promise<string> {
  if (answer.body === null) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > longest) {
      throw new Refusal(`The answer is longer than ${longest} bytes`, 'It was not read to its end. Is this a model?');
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
