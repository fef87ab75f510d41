import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** Ends a server in order: its input ends, it gets time, a signal, time again, and then no choice. */
export async function endChild(child: ChildProcessWithoutNullStreams, graceMs: number): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  child.stdin.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await within(graceMs, exited)) break;
    child.kill(signal);
  }
  await exited;
  // What the server started itself may hold on to its output for ever.
  child.stdout.destroy();
  child.stderr.destroy();
}

function within(milliseconds: number, done: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    void done.finally(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
