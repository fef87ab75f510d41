import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createFraming, type FramingName } from '@ccmcp/core/recording';
import { printStderr } from '../terminal/print.ts';
import type { OpenUpstream } from './upstream.ts';

/** A command that is started, and its environment. */
export interface StartedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly framing: Exclude<FramingName, 'auto'>;
}

/** The longest message that is understood, in bytes. Longer ones pass, but are recorded in part. */
export const maxMessage: number = 64 * 1024 * 1024;
/** Time for a program to end at each step, in milliseconds. */
const graceMs = 2000;

/** Starts a command. What it writes to stderr goes to ours. Rejects if it can't be started. */
export async function startCommand({
  command,
  args,
  cwd,
  env,
}: StartedCommand): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(command, args, { ...(cwd !== undefined && { cwd }), env, stdio: 'pipe', windowsHide: true });
  // Its end is reported instead.
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', printStderr);
  await once(child, 'spawn');
  child.on('error', () => {});
  return child;
}

/** Ends a program: closes its stdin, then SIGTERM, then SIGKILL. */
export async function endCommand(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin.end();
  const timers = (['SIGTERM', 'SIGKILL'] as const).map((signal, index) =>
    setTimeout(() => child.kill(signal), graceMs * (index + 1)),
  );
  await exited;
  for (const timer of timers) clearTimeout(timer);
  // What it has started may keep its output open.
  setTimeout(() => child.stdout.destroy(), graceMs).unref();
}

/** Why a command ended; undefined if it was told to. */
function describeEnd(code: number | null, signal: string | null): string {
  return signal === null ? `The server ended with code ${code}` : `The server was ended by ${signal}`;
}

/** An upstream that is a program of its own for each client. */
export function commandUpstream(started: StartedCommand): OpenUpstream {
  return async ({ frame, closed }) => {
    const child = await startCommand(started);
    const framing = createFraming(started.framing, maxMessage);
    child.stdout.on('data', (chunk: Buffer) => {
      framing.push(chunk);
      for (let item = framing.next(); item !== undefined; item = framing.next())
        if (typeof item === 'string') frame(item);
    });
    child.once('close', (code, signal) => closed(describeEnd(code, signal)));
    return {
      send: (text) => void child.stdin.write(framing.frame(text)),
      close: () => endCommand(child),
    };
  };
}
