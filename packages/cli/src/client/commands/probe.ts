import type { CatalogServer, ProbeStep, ProbeTarget, ProbeTexts, ProblemKind } from '@ccmcp/inspector/probe';
import { print } from '../../terminal/print.ts';
import { noTerminal } from '../../terminal/terminal.ts';
import { toFailure, credentialsHint } from '../connection/to-failure.ts';
import { exitCodes, type FailureKind } from '../../command/failure.ts';
import { type OpenClientRequest, openClient } from '../connection/open-client.ts';
import type { TargetCall } from '../context.ts';
import type { ClientOptions } from '../options.ts';
import type { Output } from '../../terminal/output.ts';
import type { Target } from '../connection/target.ts';
import { userStack } from '../../system/user-frames.ts';

/** The exit code that each problem leads to. */
export const problemKinds: Readonly<Record<ProblemKind, FailureKind | 'done'>> = {
  'unknown-host': 'unreachable',
  'nothing-listens': 'unreachable',
  'no-way': 'unreachable',
  'plain-port': 'unreachable',
  'tls-port': 'unreachable',
  certificate: 'unreachable',
  redirect: 'unreachable',
  unauthorized: 'unauthorized',
  forbidden: 'unauthorized',
  'broken-sign-in': 'unauthorized',
  'bad-token': 'unauthorized',
  'not-found': 'unreachable',
  'web-page': 'unreachable',
  'server-error': 'unreachable',
  'not-mcp': 'refused',
  'old-sse': 'done',
  buffering: 'timeout',
  'cannot-start': 'unreachable',
  exits: 'unreachable',
  'stdout-noise': 'refused',
  'wrong-framing': 'refused',
  silent: 'timeout',
  'no-agreement': 'refused',
  'broken-list': 'refused',
};

/** Probes a server step by step, and stops at the first problem; or the servers that a domain lists. */
export async function probe(call: TargetCall): Promise<number> {
  const { target, options, output } = call;
  const servers = target.kind === 'url' ? await listedServers(target.url, options.timeoutMs) : undefined;
  if (servers === undefined) return probeServer(call);
  const [only, ...others] = servers;
  if (!options.json) print(`The catalog of ${target.label} lists:\n${servers.map(describeServer).join('')}`);
  if (only?.url !== undefined && others.length === 0) {
    const url = new URL(only.url);
    if (!options.json) print('\n');
    return probeServer({ ...call, target: { kind: 'url', url, label: url.href } }, { catalog: servers });
  }
  output.value({ target: target.label, catalog: servers }, () => {
    const found = servers.find(({ url }) => url !== undefined);
    return found === undefined ? '\nNone of them can be probed.' : `\nTo probe one: ccmcp probe ${String(found.url)}`;
  });
  return exitCodes.done.code;
}

/** The servers in the catalog of a domain; undefined if the URL has a path, or the domain no catalog. */
async function listedServers(url: URL, timeoutMs: number): Promise<readonly CatalogServer[] | undefined> {
  if (url.pathname !== '/' || url.search !== '') return undefined;
  const { readCatalog } = await import('@ccmcp/inspector/probe');
  const servers = await readCatalog(url, timeoutMs);
  return servers === undefined || servers.length === 0 ? undefined : servers;
}

function describeServer({ name, title, version, url, problem }: CatalogServer): string {
  const more = [title, version].filter((each) => each !== undefined).join(' ');
  return `  ${name}${more === '' ? '' : ` (${more})`}: ${url ?? problem ?? ''}\n`;
}

async function probeServer({ target, options, output, signal }: TargetCall, found: object = {}): Promise<number> {
  // The server's log is noise here.
  const quiet: Output = options.verbose ? output : { ...output, note: () => {} };
  const opening: OpenClientRequest = { target, options, output: quiet, terminal: noTerminal, signal, isProbe: true };
  const { probe: examine } = await import('@ccmcp/inspector/probe');
  const { steps, speaks, problem } = await examine(toProbeTarget(target, options, quiet), {
    era: options.era,
    timeoutMs: options.timeoutMs,
    signal,
    texts,
    found: (step) => {
      if (!options.json) show(step);
    },
    open: ({ headers, era, timeoutMs }) => openClient({ ...opening, options: { ...options, headers, era, timeoutMs } }),
  });
  const reported = problem && { kind: problem.kind, message: problem.message, advice: problem.advice };
  output.value(
    { target: target.label, ...found, steps, ...(speaks && { speaks }), ...(reported && { problem: reported }) },
    () => (reported === undefined ? 'Nothing is wrong.' : explanation(reported, steps)),
  );
  return exitCodes[problem === undefined ? 'done' : problemKinds[problem.kind]].code;
}

function show({ step, ok, says, change, isNote }: ProbeStep): void {
  const word = isNote ? 'note  ' : ok ? 'ok    ' : 'FAILED';
  print(`${word} ${step}: ${says}\n${change === undefined ? '' : `       -> ${change}\n`}`);
}

/** The problem, unless a step has shown it, and the advice. */
function explanation({ message, advice }: { message: string; advice: string }, steps: readonly ProbeStep[]): string {
  return steps.some(({ says }) => says === message) ? `\n${advice}` : `\n${message}.\n${advice}`;
}

function toProbeTarget(target: Target, { headers, env, framing }: ClientOptions, output: Output): ProbeTarget {
  if (target.kind === 'url') {
    const { url } = target;
    const auth = async () => (await import('../sign-in/sign-in.ts')).signIn({ output, url, attended: false });
    return { kind: 'url', url: url.href, headers, auth };
  }
  const { command, args, cwd } = target;
  return {
    kind: 'command',
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    framing,
  };
}

/** In the terms of the command line. */
const texts: ProbeTexts = {
  explainRejection(rejection, sent) {
    const { message, hint } = credentialsHint(rejection, { sent });
    return { message, advice: hint };
  },
  explainFailure(error) {
    const { message, hint } = toFailure(error);
    // Advice to run "ccmcp probe" would be circular.
    const sendsHere = hint?.includes('ccmcp probe') === true;
    return { message, advice: hint === undefined || sendsHere ? 'See the messages with --verbose.' : hint };
  },
  stderrTail,
  signIn: ({ href }) => `Sign in with "ccmcp login ${href}", or give a token with --token-env NAME.`,
  login: ({ href }) => `ccmcp login ${href}`,
};

/** The last lines of stderr; of a stack trace, the error and the user's frames. */
function stderrTail(stderr: string): string {
  const [, thrown] = /^((?:[\w.]*Error|Uncaught)\b.*(?:\n.*)*?(?:\n\s+at .*)+)/m.exec(stderr) ?? [];
  if (thrown === undefined) return stderr.trim().split('\n').slice(-5).join('\n');
  const { message, frames } = userStack(thrown);
  return [message, ...frames.map((frame) => `    ${frame}`)].join('\n');
}
