import type { Examination, Target } from '@ccmcp/inspector';
import type { ClientOptions } from '../client/options.ts';
import { processOutput } from '../client/output.ts';
import { examine } from '../client/probe.ts';
import { Report } from '../client/probe/report.ts';
import type { Target as Named } from '../client/target.ts';

/** Examines a target for the inspector, as `ccmcp probe` does. */
export async function examineTarget(
  target: Target,
  { found, tap, signal }: Examination,
  options: ClientOptions,
): Promise<ReturnType<typeof problemIn>> {
  const report = new Report(({ step, ok, says, change, isNote }) =>
    found({
      step,
      status: isNote ? 'note' : ok ? 'ok' : 'wrong',
      says,
      ...(change !== undefined && { advice: change }),
    }),
  );
  const { named, headers, env } = inOwnTerms(target);
  const own = { ...options, json: true, verbose: false, headers, env, timeoutMs: Math.min(options.timeoutMs, 20_000) };
  await examine(report, {
    target: named,
    options: own,
    output: processOutput({ json: true, verbose: false }),
    signal,
    tap,
  });
  return problemIn(report);
}

function problemIn({ problem }: Report): { kind: string; says: string; advice: string } | undefined {
  return problem && { kind: problem.kind, says: problem.message, advice: problem.advice };
}

interface OwnTerms {
  named: Named;
  headers: Record<string, string>;
  env: Record<string, string>;
}

function inOwnTerms(target: Target): OwnTerms {
  const { label } = target;
  if (target.kind === 'url') {
    return { named: { kind: 'url', url: new URL(target.url), label }, headers: { ...target.headers }, env: {} };
  }
  if (target.kind === 'own') throw new TypeError('A server in this process is not examined');
  const { command, args, cwd, env = {} } = target;
  return {
    named: { kind: 'command', command, args, label, ...(cwd !== undefined && { cwd }) },
    headers: {},
    env: { ...env },
  };
}
