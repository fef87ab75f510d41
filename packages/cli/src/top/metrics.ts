import { urlFromWord } from '../system/url-from-word.ts';
import { Failure } from '../command/failure.ts';
import { UsageError } from '../command/usage-error.ts';
import { toOneLine } from '../terminal/print.ts';

/** The timeout of a request, in milliseconds. */
const defaultTimeoutMs = 5000;
/** A longer response contains no metrics. */
const maxLength = 16 * 1024 * 1024;

/** The hint if there are no metrics. */
const remedy = 'start the server with --admin PORT, and give that address here';

/** Converts a word to the URL of metrics. */
export function metricsUrl(word: string): string {
  const url = urlFromWord(/^\d{1,5}$/.test(word) ? `127.0.0.1:${word}` : word);
  if (url === undefined || !URL.canParse(url)) {
    throw new UsageError(`${toOneLine(word)} is not the address of metrics: ${remedy}, such as http://127.0.0.1:9464`);
  }
  const whole = new URL(url);
  if (whole.pathname === '/') whole.pathname = '/metrics';
  return whole.href;
}

/** Fetches metrics once. Its errors include advice. */
export async function readMetrics(
  url: string,
  {
    headers,
    signal,
    timeoutMs = defaultTimeoutMs,
  }: { headers: Record<string, string>; signal: AbortSignal; timeoutMs?: number },
): Promise<Reading> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const abort = (): void => controller.abort();
  signal.addEventListener('abort', abort);
  try {
    return await readWith(url, { ...headers, Accept: 'text/plain' }, controller.signal);
  } catch (error) {
    if (signal.aborted || !controller.signal.aborted) throw error;
    throw new Failure('timeout', `${url} does not answer: it is busy, or not there`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

async function readWith(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Reading> {
  const response = await fetch(url, { headers, signal, redirect: 'error' }).catch((error: unknown) => {
    throw new Failure('unreachable', unreachable(url, error), { cause: error });
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(statusError(url, response.status));
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
    if (text.length > maxLength) throw new Error(`${response.url} answers with more than metrics: ${remedy}`);
  }
  return text;
}

function unreachable(url: string, error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  const why = toOneLine(cause?.code ?? cause?.message ?? message);
  return `${url} can't be reached (${why}): is the server there, and was it started with --admin PORT?`;
}

function statusError(url: string, status: number): string {
  if (status === 401 || status === 403) return `${url} is not open to you (${status}): --header can send a key`;
  return `there are no metrics at ${url} (${status}): ${remedy}`;
}

/** One value of a metric, with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Metrics by name, of one reading. */
export type Reading = ReadonlyMap<string, readonly Sample[]>;

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Parses the text format of Prometheus. Malformed lines are skipped. */
export function parseMetrics(text: string): Reading {
  const reading = new Map<string, Sample[]>();
  for (const each of text.split('\n')) {
    const [, name, labels = '', value] = line.exec(each.trim()) ?? [];
    if (name === undefined || value === undefined) continue;
    const samples = reading.get(name) ?? [];
    samples.push({ labels: labelsIn(labels), value: numberOf(value) });
    reading.set(name, samples);
  }
  return reading;
}

function labelsIn(text: string): Record<string, string> {
  const pairs = Array.from(text.matchAll(label), ([, name = '', value = '']) => [name, unescape(value)] as const);
  return Object.fromEntries(pairs);
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
}

function numberOf(text: string): number {
  if (/^\+?inf$/i.test(text)) return Number.POSITIVE_INFINITY;
  return /^-inf$/i.test(text) ? Number.NEGATIVE_INFINITY : Number(text);
}
