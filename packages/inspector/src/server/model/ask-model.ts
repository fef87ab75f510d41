import type { HttpTap } from '@ccmcp/core/client';
import { tryParseJson } from '../../shared/json.ts';
import type { ModelService } from '../../shared/questions.ts';
import { RequestError } from '../targets.ts';
import { type ModelAdapter, type ModelAnswer, type ModelPrompt, ToolNameMap } from './adapter.ts';
import { anthropic } from './anthropic.ts';
import { httpError, type ModelResponse, networkError, unexpectedAnswerError } from './model-errors.ts';
import { openai } from './openai.ts';
import { createKeyMask, type ModelSettings } from './settings.ts';

/** Maximum size of an answer, in bytes. */
const maxAnswerBytes = 4 * 1024 * 1024;

const adapters: Readonly<Record<ModelService, ModelAdapter>> = { anthropic, openai };

/** Options of `askModel`. */
export interface AskModelOptions {
  readonly settings: ModelSettings;
  readonly prompt: ModelPrompt;
  readonly signal: AbortSignal;
  /** Observes the traffic, with the key masked. */
  readonly tap: HttpTap;
}

/** Asks a model at the configured endpoint. Answers and errors never contain the key. */
export async function askModel({ settings, prompt, signal, tap }: AskModelOptions): Promise<ModelAnswer> {
  const { known, key } = settings;
  const translation = adapters[known.service];
  const names = new ToolNameMap();
  const mask = createKeyMask(key);
  let body = translation.request(prompt, names);
  let answer = await send(settings, { body, signal, tap });
  // Some compatible services know only the newer parameter name.
  if (answer.status === 400 && answer.body.includes('max_completion_tokens') && 'max_tokens' in body) {
    const { max_tokens: most, ...others } = body;
    body = { ...others, max_completion_tokens: most };
    answer = await send(settings, { body, signal, tap });
  }
  const clean = { ...answer, body: mask(answer.body) };
  if (answer.status < 200 || answer.status >= 300) throw httpError(known, clean);
  const found = translation.answer(tryParseJson(clean.body), prompt, names);
  if (found === undefined) throw unexpectedAnswerError(known, clean);
  return found;
}

interface Request {
  readonly body: Record<string, unknown>;
  readonly signal: AbortSignal;
  readonly tap: HttpTap;
}

async function send({ known, key, timeoutMs }: ModelSettings, { body, signal, tap }: Request): Promise<ModelResponse> {
  const mask = createKeyMask(key);
  const text = JSON.stringify(body);
  const url = known.endpoint;
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'User-Agent': 'ccmcp-inspector',
    ...adapters[known.service].headers(key),
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
    const got = await readText(answer);
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
    const why = error instanceof RequestError ? error : networkError(known, reason, timeoutMs);
    watch?.end(why);
    throw why;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', give);
    // Only the first call counts.
    watch?.end(signal.aborted ? new Error('Not wanted any more') : undefined);
  }
}

/** Reads a response, up to the limit. */
async function readText(answer: Response): Promise<string> {
  if (answer.body === null) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) {
      throw new RequestError(
        `The answer is longer than ${maxAnswerBytes} bytes`,
        'Reading stopped. Is this a model service?',
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
