import { urlMeant } from '../address.ts';
import { Failure } from '../client/failure.ts';
import { Misuse } from '../misuse.ts';
import { oneLine } from '../print.ts';
import { parseMetrics, type Reading } from './parse.ts';

/** How long a server may take to answer, in milliseconds. */
const patienceMs = 5000;
/** A longer answer is no list of metrics. */
const longest = 16 * 1024 * 1024;

/** What to do where there are no metrics. */
const remedy = 'start the server with --admin PORT, and give that address here';

/** The address of the metrics that a word means. */
export function metricsUrl(word: string): string {
  const url = urlMeant(/^\d{1,5}$/.test(word) ? `127.0.0.1:${word}` : word);
  if (url === undefined || !URL.canParse(url)) {
    throw new Misuse(`${oneLine(word)} is no address of metrics: ${remedy}, such as http://127.0.0.1:9464`);
  }
  const whole = new URL(url);
  if (whole.pathname === '/') whole.pathname = '/metrics';
  return whole.href;
}

/** Reads metrics once. Fails with words that say what to do. */
export async function readMetrics(
  url: string,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
): Promise<Reading> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patienceMs);
  const leave = (): void => giveUp.abort();
  signal.addEventListener('abort', leave);
  try {
    return await readWith(url, { ...headers, Accept: 'text/plain' }, giveUp.signal);
  } catch (error) {
    if (signal.aborted || !giveUp.signal.aborted) throw error;
    throw new Failure('timeout', `${url} does not answer: it is busy, or not there`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

async function readWith(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Reading> {
  const response = await fetch(url, { headers, signal, redirect: 'error' }).catch((error: unknown) => {
    throw new Failure('unreachable', unreachable(url, error), { cause: error });
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(refused(url, response.status));
  }
  const reading = parseMetrics(await bodyOf(response));
  if (!reading.has('ccmcp_build_info')) throw new Error(`${url} answers, but not with metrics of ccmcp: ${remedy}`);
  return reading;
}

async function bodyOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > longest) throw new Error(`${response.url} answers with more than metrics: ${remedy}`);
  }
  return text;
}

function unreachable(url: string, error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  const why = oneLine(cause?.code ?? cause?.message ?? message);
  return `${url} can't be reached (${why}): is the server there, and was it started with --admin PORT?`;
}

function refused(url: string, status: number): string {
  if (status === 401 || status === 403) return `${url} is not open to you (${status}): --header can send a key`;
  return `there are no metrics at ${url} (${status}): ${remedy}`;
}
