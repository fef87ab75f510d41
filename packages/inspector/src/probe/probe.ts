import { limits, ProtocolError } from '@ccmcp/core';
import { type Client, ConnectionError, HttpError, type HttpTap, ResultError, TimeoutError } from '@ccmcp/core/client';
import { type Endpoint, findEndpoint } from './endpoint.ts';
import { checkTls, resolveHost, checkPort, hostPortOf } from './network.ts';
import { openClient, type ProbeOpening } from './open-client.ts';
import { checkProcess } from './check-process.ts';
import { Problem, type ProblemKind, type ProbeStep, Report, type ServerSummary } from './report.ts';
import { formatSummary, summarizeServer } from './server-summary.ts';
import { checkStream } from './check-stream.ts';
import { probeTap } from './http.ts';
import type { ProbeTarget } from './target.ts';
import { checkAccess } from './access.ts';
import { pageWords, type ProbeWords } from './words.ts';

/** Options of `probe`. */
export interface ProbeOptions {
  /** Default: `auto`, which tries both. */
  era?: ProbeOpening['era'];
  /** Timeout of a request, in milliseconds. Default: 20 000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Observes the HTTP requests. */
  tap?: HttpTap;
  /** Called after each step. */
  found?: (step: ProbeStep) => void;
  /** Opens a client. Default: a non-interactive one. */
  open?: (opening: ProbeOpening) => Promise<Client>;
  /** Texts of the report. Default: texts for users of the inspector page. */
  words?: ProbeWords;
}

/** Result of a probe. */
export interface ProbeReport {
  /** Steps in order, up to the first problem. */
  readonly steps: readonly ProbeStep[];
  readonly speaks?: ServerSummary;
  /** The first problem. Absent: no problem. */
  readonly problem?: { readonly kind: ProblemKind; readonly message: string; readonly advice: string };
}

/** State of a probe. */
interface ProbeContext {
  readonly report: Report;
  readonly words: ProbeWords;
  readonly opening: ProbeOpening;
  open(opening: ProbeOpening): Promise<Client>;
}

/** Probes a server step by step, and stops at the first problem. */
export async function probe(target: ProbeTarget, options: ProbeOptions = {}): Promise<ProbeReport> {
  const { era = 'auto', timeoutMs = limits.inspector.probeMs.value, signal = new AbortController().signal } = options;
  const { tap, found = () => {}, words = pageWords, open = (opening) => openClient(target, opening) } = options;
  const headers = target.kind === 'url' ? { ...target.headers } : {};
  const report = new Report(found);
  const probing: ProbeContext = { report, words, open, opening: { headers, era, timeoutMs, signal } };
  const look = (): Promise<void> => (target.kind === 'url' ? probeUrl(target, probing) : probeCommand(target, probing));
  try {
    await (tap === undefined ? look() : probeTap.run(tap, look));
  } catch (error) {
    signal.throwIfAborted();
    report.problem = toProblem(error, target, words);
  }
  const { steps, speaks, problem } = report;
  return { steps, ...(speaks && { speaks }), ...(problem && { problem }) };
}

async function probeUrl(target: Extract<ProbeTarget, { kind: 'url' }>, probing: ProbeContext): Promise<void> {
  const { report, words, opening } = probing;
  const url = new URL(target.url);
  const place = hostPortOf(url);
  await report.try('name', () => resolveHost(place));
  await report.try('port', () => checkPort(place));
  if (url.protocol === 'https:') await report.try('TLS', () => checkTls(place));
  const { authorized, problem } = await checkAccess(report, target, words);
  const inside = { ...probing, opening: { ...opening, headers: authorized } };
  const endpoint = await probeEndpoint(url, inside).catch((error: unknown) => Promise.reject(problem ?? error));
  await withClient(endpoint, inside, async (client) => {
    if (endpoint === 'http') await report.try('stream', () => checkStream(client, url, authorized));
  });
  report.problem ??= forgiveAcceptedToken(report, problem);
  if (endpoint === 'http+sse' && report.problem === undefined) {
    const text = 'This is a server of the HTTP+SSE transport, which the first revision had and later ones replaced';
    report.problem = new Problem('old-sse', text, 'ccmcp reaches it all the same; newer clients may not. Update it.');
  }
}

/** A server that accepts a token has the last word, for example on another audience. */
function forgiveAcceptedToken(report: Report, problem: Problem | undefined): Problem | undefined {
  if (problem?.kind !== 'bad-token') return problem;
  const says = 'the server takes it all the same: see whether its audience and issuer options are meant so';
  report.add({ step: 'token', ok: true, isNote: true, says });
  return undefined;
}

async function probeEndpoint(url: URL, { report, words, opening: { headers } }: ProbeContext): Promise<Endpoint> {
  let endpoint: Endpoint | undefined;
  await report.try('endpoint', async () => {
    const [found, says] = await findEndpoint(url, headers, words);
    endpoint = found;
    return says;
  });
  return endpoint ?? 'http';
}

async function probeCommand(target: Extract<ProbeTarget, { kind: 'command' }>, probing: ProbeContext): Promise<void> {
  await probing.report.try('process', () => startProcess(target, probing));
  await withClient('stdio', probing);
}

/** Some servers exit on any request before the handshake. */
async function startProcess(
  target: Extract<ProbeTarget, { kind: 'command' }>,
  { words, open, opening }: ProbeContext,
): Promise<string> {
  try {
    return await checkProcess(target, words);
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'exits') throw error;
    const client = await open(opening).catch(() => Promise.reject(error));
    await client.close();
    return 'answers once a client has introduced itself, and ends where it is asked anything before';
  }
}

/** Opens a client, summarizes the server, and tries the other era. */
async function withClient(
  transport: ServerSummary['transport'],
  probing: ProbeContext,
  use?: (client: Client) => Promise<void>,
): Promise<void> {
  const { report, words, open, opening } = probing;
  let client: Client | undefined;
  try {
    await report.try('protocol', async () => {
      client = await open(opening);
      const { speaks, problem } = await summarizeServer(client, transport, words);
      report.speaks = speaks;
      report.problem = problem;
      return formatSummary(speaks);
    });
    if (client === undefined) return;
    const { problem } = report;
    if (problem !== undefined) report.add({ step: 'lists', ok: false, says: problem.message });
    await use?.(client);
    if (transport !== 'http+sse' && opening.era === 'auto') await probeOtherEra(client, probing);
  } finally {
    await client?.close();
  }
}

async function probeOtherEra({ era }: Client, { report, open, opening }: ProbeContext): Promise<void> {
  const other = era === 'stateless' ? 'handshake' : 'stateless';
  const says = await open({ ...opening, era: other, timeoutMs: Math.min(opening.timeoutMs, 3000) }).then(
    async (client) => {
      await client.close();
      return `also speaks ${client.protocolVersion} (${other})`;
    },
    () => `does not speak the ${other} era`,
  );
  report.add({ step: 'other era', ok: true, says });
}

/** Converts a client error to a problem. */
function toProblem(error: unknown, { kind }: ProbeTarget, words: ProbeWords): Problem {
  if (error instanceof Problem) return error;
  const known = problemKind(error, kind);
  if (known === undefined) throw error;
  const { message, advice } = words.failed(error, kind);
  return new Problem(known, message, advice);
}

function problemKind(error: unknown, target: ProbeTarget['kind']): ProblemKind | undefined {
  if (error instanceof TimeoutError) return 'silent';
  if (error instanceof ProtocolError || error instanceof ResultError) return 'no-agreement';
  if ((error as Error | undefined)?.name === 'AuthError') return 'unauthorized';
  if (error instanceof HttpError && (error.status === 401 || error.status === 403)) return 'unauthorized';
  if (error instanceof HttpError || error instanceof ConnectionError) return target === 'url' ? 'no-way' : 'exits';
  return undefined;
}
