import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** A server being measured, in a process of its own. */
export interface Child {
  readonly process: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** CPU time that all its threads have used so far, in milliseconds; NaN where the system does not tell. */
  cpuMs(): number;
  /** Its resident memory in megabytes; NaN where the system does not tell. */
  residentMb(): number;
  /** Ends it and waits until it is gone. */
  end(): Promise<void>;
}

/** Certificates, options and colours of whoever runs the benchmark are none of the servers' business. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(NODE_|npm_|FORCE_COLOR|NO_COLOR)/.test(name)),
);

/** Whatever happens to the benchmark, no server may outlive it. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Starts Node with these arguments: the one that is running, or the one at this path. */
export function start(
  args: readonly string[],
  options: { ipc?: true; node?: string; cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Child {
  const child = spawn(options.node ?? process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore', ...(options.ipc ? ['ipc' as const] : [])],
    env: { ...environment, NODE_ENV: 'production', ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined) throw new Error(`Can't start node ${args.join(' ')}`);
  stdin.on('error', () => {});
  return {
    process: child,
    stdin,
    stdout,
    cpuMs: () => cpuMs(pid),
    residentMb: () => residentMb(pid),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function cpuMs(pid: number): number {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    }
    return nanoseconds / 1e6;
  } catch {
    return Number.NaN;
  }
}

function residentMb(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
