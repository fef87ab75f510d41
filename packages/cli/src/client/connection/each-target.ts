import type { Client } from '@ccmcp/core/client';
import type { Failure } from '../../command/failure.ts';
import { hasCredentials } from '../../config/server-entry.ts';
import type { Output } from '../../terminal/output.ts';
import { toOneLine } from '../../terminal/print.ts';
import { noTerminal } from '../../terminal/terminal.ts';
import type { CommandCall } from '../context.ts';
import { type OpenClientRequest, openClient, startFailure } from './open-client.ts';
import { ServerStderr } from './server-stderr.ts';
import { resolveTarget, type Target } from './target.ts';
import { toFailure } from './to-failure.ts';

/** The result for a target, or its failure. */
export type TargetOutcome<T> =
  | { readonly target: string; readonly value: T }
  | { readonly target: string; readonly failure: Failure };

/** A target of the command line, not yet resolved. */
interface TypedTarget {
  readonly label: string;
  resolve(): Promise<Target>;
}

/** Maximum number of servers that are open at a time. */
const maxOpen = 4;

/**
 * Connects to each target of the command line and uses it, with the label of the resolved target. A failed one does not
 * hide the others.
 */
export async function useEachTarget<T>(
  call: CommandCall,
  use: (client: Client, label: string) => Promise<T>,
): Promise<TargetOutcome<T>[]> {
  const typed = typedTargets(call);
  const outcomes: TargetOutcome<T>[] = [];
  const queue = typed.entries();
  const work = async (): Promise<void> => {
    for (const [at, { label, resolve }] of queue) outcomes[at] = await useTarget(label, resolve, call, use);
  };
  await Promise.all(Array.from({ length: Math.min(maxOpen, typed.length) }, work));
  if (call.signal.aborted) throw call.signal.reason;
  return outcomes;
}

/** The exit code if targets failed: that of the first one. */
export function failedExitCode(outcomes: readonly TargetOutcome<unknown>[]): number | undefined {
  for (const outcome of outcomes) if ('failure' in outcome) return outcome.failure.exitCode;
  return undefined;
}

/** Explains why a target failed. */
export function describeFailure(target: string, { message, hint, stderrLines }: Failure): string[] {
  return [
    `${toOneLine(target)}: not read: ${message}`,
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...stderrLines.slice(-5).map((line) => `  stderr: ${line}`),
  ];
}

function typedTargets({ words: { words, command, serverArgs, options } }: CommandCall): TypedTarget[] {
  const { env } = options;
  const named = words.map((word) => ({
    label: word,
    resolve: () => resolveTarget(word, undefined, { serverArgs, env }),
  }));
  if (command === undefined) return named;
  return [...named, { label: command.join(' '), resolve: () => resolveTarget(undefined, command, {}) }];
}

async function useTarget<T>(
  label: string,
  resolve: () => Promise<Target>,
  { words, output, signal }: CommandCall,
  use: (client: Client, label: string) => Promise<T>,
): Promise<TargetOutcome<T>> {
  const stderr = new ServerStderr();
  let sent: Record<string, string> = {};
  try {
    const target = await resolve();
    const { headers, env, note } = target.configured ?? { headers: {}, env: {} };
    if (note !== undefined) output.note(note);
    sent = target.kind === 'url' ? { ...headers, ...words.options.headers } : {};
    const options = { ...words.options, headers: sent, env: { ...env, ...words.options.env } };
    const auth = await storedLogin(target, sent, output);
    const opening: OpenClientRequest = { target, options, output, terminal: noTerminal, signal, stderr, isProbe: true };
    const client = await openClient({ ...opening, ...(auth && { auth }) }).catch((error: unknown) =>
      Promise.reject(startFailure(error, target)),
    );
    stderr.connected();
    try {
      return { target: label, value: await use(client, target.label) };
    } finally {
      await client.close();
    }
  } catch (error) {
    const failure = toFailure(error, sent);
    if (failure.kind !== 'usage') failure.stderrLines = [...stderr.errors, ...stderr.recent];
    return { target: label, failure };
  }
}

/** The stored login of a server; without an interactive sign-in. */
async function storedLogin(target: Target, sent: Record<string, string>, output: Output) {
  if (target.kind !== 'url' || hasCredentials(sent)) return undefined;
  const { signIn } = await import('../sign-in/sign-in.ts');
  return signIn({ output, url: target.url, attended: false });
}
