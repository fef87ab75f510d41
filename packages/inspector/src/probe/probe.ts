import { limits, ProtocolError } from '@ccmcp/core';
import { type Client, ConnectionError, HttpError, type HttpTap, ResultError, TimeoutError } from '@ccmcp/core/client';
import { checkAccess } from './access.ts';
import { checkProcess } from './check-process.ts';
import { type Endpoint, findEndpoint } from './endpoint.ts';
import { probeTap, sendRequest, NoResponseError } from './http.ts';
import { checkPort, checkTls, hostPortOf, resolveHost } from './network.ts';
import { openClient, type ProbeClientOptions } from './open-client.ts';
import { type ProbeStep, Problem, type ProblemKind, Report, type ServerSummary } from './report.ts';
import { formatSummary, summarizeServer } from './server-summary.ts';
import type { CommandTarget, ProbeTarget, UrlTarget } from './target.ts';
import { pageTexts, type ProbeTexts } from './texts.ts';

/** Options of `probe`. */
export interface ProbeOptions {
  /** Default: `auto`, which tries both. */
  era?: ProbeClientOptions['era'];
  /** Timeout of a request, in milliseconds. Default: 20 000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Observes the HTTP requests. */
  tap?: HttpTap;
  /** Called after each step. */
  found?: (step: ProbeStep) => void;
  /** Opens a client. Default: a non-interactive one. */
  open?: (opening: ProbeClientOptions) => Promise<Client>;
  /** Texts of the report. Default: texts for users of the inspector page. */
  texts?: ProbeTexts;
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
  readonly texts: ProbeTexts;
  readonly opening: ProbeClientOptions;
  open(opening: ProbeClientOptions): Promise<Client>;
}

/** Probes a server step by step, and stops at the first problem. */
export async function probe(target: ProbeTarget, options: ProbeOptions = {}): Promise<ProbeReport> {
  const { era = 'auto', timeoutMs = limits.inspector.probeMs.value, signal = new AbortController().signal } = options;
  const { tap, found = () => {}, texts = pageTexts, open = (opening) => openClient(target, opening) } = options;
  const headers = target.kind === 'url' ? { ...target.headers } : {};
  const report = new Report(found);
  const probing: ProbeContext = { report, texts, open, opening: { headers, era, timeoutMs, signal } };
  const runProbe = (): Promise<void> =>
    target.kind === 'url' ? probeUrl(target, probing) : probeCommand(target, probing);
  try {
    await (tap === undefined ? runProbe() : probeTap.run(tap, runProbe));
  } catch (error) {
    signal.throwIfAborted();
    report.problem = toProblem(error, target, texts);
  }
  const { steps, speaks, problem } = report;
  return { steps, ...(speaks && { speaks }), ...(problem && { problem }) };
}

async function probeUrl(target: UrlTarget, probing: ProbeContext): Promise<void> {
  const { report, texts, opening } = probing;
  const url = new URL(target.url);
  const address = hostPortOf(url);
  await report.try('name', () => resolveHost(address));
  await report.try('port', () => checkPort(address));
  if (url.protocol === 'https:') await report.try('TLS', () => checkTls(address));
  const { authorized, problem } = await checkAccess(report, target, texts);
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

async function probeEndpoint(url: URL, { report, texts, opening: { headers } }: ProbeContext): Promise<Endpoint> {
  let endpoint: Endpoint | undefined;
  await report.try('endpoint', async () => {
    const [found, says] = await findEndpoint(url, headers, texts);
    endpoint = found;
    return says;
  });
  return endpoint ?? 'http';
}

async function probeCommand(target: CommandTarget, probing: ProbeContext): Promise<void> {
  await probing.report.try('process', () => startProcess(target, probing));
  await withClient('stdio', probing);
}

/** Some servers exit on any request before the handshake. */
async function startProcess(target: CommandTarget, { texts, open, opening }: ProbeContext): Promise<string> {
  try {
    return await checkProcess(target, texts);
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
  const { report, texts, open, opening } = probing;
  let client: Client | undefined;
  try {
    await report.try('protocol', async () => {
      client = await open(opening);
      const { speaks, problem } = await summarizeServer(client, transport, texts);
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
function toProblem(error: unknown, { kind }: ProbeTarget, texts: ProbeTexts): Problem {
  if (error instanceof Problem) return error;
  const known = problemKind(error, kind);
  if (known === undefined) throw error;
  const { message, advice } = texts.explainFailure(error, kind);
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

const timeoutMs = 3000;

/** Checks that streamed messages arrive immediately, without buffering on the way. */
async function checkStream(client: Client, url: URL, headers: Record<string, string>): Promise<string> {
  return client.era === 'stateless' ? checkSubscription(client) : checkSessionStream(client, url, headers);
}

async function checkSubscription(client: Client): Promise<string> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(bufferingProblem()), timeoutMs);
  try {
    const asked = client.listen({ tools: true, prompts: true, resources: true }, { signal: timeout.signal });
    const late = new Promise<never>((_, reject) => {
      timeout.signal.addEventListener('abort', () => reject(timeout.signal.reason as Error), { once: true });
    });
    const subscription = await Promise.race([asked, late]);
    await subscription.close();
    return 'a subscription is confirmed at once';
  } catch (error) {
    if (error instanceof ProtocolError) return 'the server offers no subscriptions';
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Opens a session of its own: a session allows one stream only. */
async function checkSessionStream(client: Client, url: URL, given: Record<string, string>): Promise<string> {
  const { protocolVersion } = client;
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'ccmcp-probe', version: '1' } };
  const begun = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const opened = await sendRequest(url, { method: 'POST', headers: given, body: begun, timeoutMs });
  const session = opened.headers['mcp-session-id'];
  const headers = {
    ...given,
    'mcp-protocol-version': protocolVersion,
    ...(typeof session === 'string' && { 'mcp-session-id': session }),
  };
  try {
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await sendRequest(url, { method: 'POST', headers, body: ready, timeoutMs });
    const { status } = await sendRequest(url, { method: 'GET', headers, timeoutMs });
    return status === 200 ? 'the stream opens at once' : `the server keeps no stream open (${status})`;
  } catch (error) {
    throw error instanceof NoResponseError ? bufferingProblem() : error;
  } finally {
    if (typeof session === 'string') await sendRequest(url, { method: 'DELETE', headers, timeoutMs }).catch(() => {});
  }
}

function bufferingProblem(): Problem {
  const text = `Single answers arrive, but nothing of a stream does within ${timeoutMs / 1000} seconds`;
  const advice =
    'Something on the way holds answers back until they are complete: a proxy that buffers. Turn that off for this ' +
    'address (nginx: "proxy_buffering off;"), or reach the server without the proxy.';
  return new Problem('buffering', text, advice);
}
