import type { Client, HttpTap } from '@ccmcp/core/client';
import { failureOf } from './explain.ts';
import { exitCodes, Failure } from './failure.ts';
import { type Opening, openClient } from './open.ts';
import type { ClientOptions } from './options.ts';
import type { Output } from './output.ts';
import { print } from '../print.ts';
import { findEndpoint, type Endpoint } from './probe/endpoint.ts';
import { checkTls, findAddress, knock, placeOf } from './probe/network.ts';
import { checkProcess } from './probe/process.ts';
import { probeTap } from './probe/tap.ts';
import { Problem, problemKinds, Report, type Speaks, type Step } from './probe/report.ts';
import { findWayIn } from './probe/way-in.ts';
import { speaksText, whatItSpeaks } from './probe/speaks.ts';
import { checkStream } from './probe/stream.ts';
import type { Target } from './target.ts';

/** What a probe is made with. */
export interface Probing {
  target: Target;
  options: ClientOptions;
  output: Output;
  signal: AbortSignal;
}

/** Nobody is asked anything while a server is only looked at. */
const nobody: Opening['terminal'] = {
  open: () => Promise.reject(new Failure('unexpected', 'A probe asks nobody')),
  lend: () => {},
  without: (use) => use(),
  close: () => {},
};

/** Finds out what a server speaks, step by step, and stops at the first thing that is wrong. */
export async function probe({ target, options, output, signal }: Probing): Promise<number> {
  const report = new Report(({ step, ok, says, change, isNote }) => {
    if (options.json) return;
    const word = isNote ? 'note  ' : ok ? 'ok    ' : 'FAILED';
    print(`${word} ${step}: ${says}\n${change === undefined ? '' : `       -> ${change}\n`}`);
  });
  await examine(report, { target, options, output, signal });
  const { steps, speaks, problem } = report;
  const told = problem && { kind: problem.kind, message: problem.message, advice: problem.advice };
  output.value({ target: target.label, steps, ...(speaks && { speaks }), ...(told && { problem: told }) }, () =>
    problem === undefined ? 'Nothing is wrong.' : explanation(problem, steps),
  );
  return exitCodes[problem === undefined ? 'done' : problemKinds[problem.kind]].code;
}

/** Does what a probe does; `tap` sees the requests that are made for it. */
export async function examine(
  report: Report,
  { target, options, output, signal, tap }: Probing & { tap?: HttpTap },
): Promise<void> {
  // What the server logs meanwhile is not what is looked for.
  const quiet: Output = options.verbose ? output : { ...output, note: () => {} };
  const opening: Opening = {
    target,
    options,
    output: quiet,
    terminal: nobody,
    signal,
    isProbe: true,
    ...(tap && { tap }),
  };
  const look = (): Promise<void> =>
    target.kind === 'url' ? probeUrl(report, target.url, opening) : probeCommand(report, target, opening);
  try {
    await (tap === undefined ? look() : probeTap.run(tap, look));
  } catch (error) {
    signal.throwIfAborted();
    report.problem = problemOf(error, target);
  }
}

/** What is wrong, unless a step has said so already, and what to do about it. */
function explanation({ message, advice }: Problem, steps: readonly Step[]): string {
  return steps.some(({ says }) => says === message) ? `\n${advice}` : `\n${message}.\n${advice}`;
}

async function probeUrl(report: Report, url: URL, opening: Opening): Promise<void> {
  const place = placeOf(url);
  await report.try('name', () => findAddress(place));
  await report.try('port', () => knock(place));
  if (url.protocol === 'https:') await report.try('TLS', () => checkTls(place));
  const { authorized, problem } = await findWayIn(report, url, opening);
  const inside = { ...opening, options: { ...opening.options, headers: authorized } };
  const endpoint = await endpointOf(report, url, authorized).catch((error: unknown) =>
    Promise.reject(problem ?? error),
  );
  await withClient(report, endpoint, inside, async (client) => {
    if (endpoint === 'http') await report.try('stream', () => checkStream(client, url, authorized));
  });
  report.problem ??= takenAnyway(report, problem);
  if (endpoint === 'http+sse' && report.problem === undefined) {
    const text = 'This is a server of the HTTP+SSE transport, which the first revision had and later ones replaced';
    report.problem = new Problem('old-sse', text, 'ccmcp reaches it all the same; newer clients may not. Update it.');
  }
}

/** A server that takes a token has its own idea of what is right, such as another audience. */
function takenAnyway(report: Report, problem: Problem | undefined): Problem | undefined {
  if (problem?.kind !== 'bad-token') return problem;
  const says = 'the server takes it all the same: see whether its audience and issuer options are meant so';
  report.add({ step: 'token', ok: true, isNote: true, says });
  return undefined;
}

async function endpointOf(report: Report, url: URL, headers: Record<string, string>): Promise<Endpoint> {
  let endpoint: Endpoint | undefined;
  await report.try('endpoint', async () => {
    const [found, says] = await findEndpoint(url, headers);
    endpoint = found;
    return says;
  });
  return endpoint ?? 'http';
}

async function probeCommand(
  report: Report,
  target: Extract<Target, { kind: 'command' }>,
  opening: Opening,
): Promise<void> {
  await report.try('process', () => startProcess(target, opening));
  await withClient(report, 'stdio', opening);
}

/** Some servers end when they are asked anything before they know who asks. */
async function startProcess(target: Extract<Target, { kind: 'command' }>, opening: Opening): Promise<string> {
  try {
    return await checkProcess(target, opening.options);
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'exits') throw error;
    const client = await openClient(opening).catch(() => Promise.reject(error));
    await client.close();
    return 'answers once a client has introduced itself, and ends where it is asked anything before';
  }
}

/** Opens a client, says what the server speaks, also in the other era, and looks on. */
async function withClient(
  report: Report,
  transport: Speaks['transport'],
  opening: Opening,
  use?: (client: Client) => Promise<void>,
): Promise<void> {
  let client: Client | undefined;
  try {
    await report.try('protocol', async () => {
      client = await openClient(opening);
      const { speaks, problem } = await whatItSpeaks(client, transport);
      report.speaks = speaks;
      report.problem = problem;
      return speaksText(speaks);
    });
    if (client === undefined) return;
    const { problem } = report;
    if (problem !== undefined) report.add({ step: 'lists', ok: false, says: problem.message });
    await use?.(client);
    if (transport !== 'http+sse' && opening.options.era === 'auto') await otherEra(report, client, opening);
  } finally {
    await client?.close();
  }
}

async function otherEra(report: Report, { era }: Client, opening: Opening): Promise<void> {
  const other = era === 'stateless' ? 'handshake' : 'stateless';
  const timeoutMs = Math.min(opening.options.timeoutMs, 3000);
  const says = await openClient({ ...opening, options: { ...opening.options, era: other, timeoutMs } }).then(
    async (client) => {
      await client.close();
      return `also speaks ${client.protocolVersion} (${other})`;
    },
    () => `does not speak the ${other} era`,
  );
  report.add({ step: 'other era', ok: true, says });
}

/** A failure of the client in the probe's terms. */
function problemOf(error: unknown, { kind }: Target): Problem {
  if (error instanceof Problem) return error;
  const failure = failureOf(error);
  // What sends others here must not send anybody in a circle.
  const sendsHere = failure.hint?.includes('ccmcp probe') === true;
  const advice = failure.hint === undefined || sendsHere ? 'See the messages with --verbose.' : failure.hint;
  switch (failure.kind) {
    case 'unauthorized':
      return new Problem('unauthorized', failure.message, advice);
    case 'timeout':
      return new Problem('silent', failure.message, advice);
    case 'refused':
      return new Problem('no-agreement', failure.message, advice);
    case 'unreachable':
      return new Problem(kind === 'url' ? 'no-way' : 'exits', failure.message, advice);
    default:
      throw error;
  }
}
