import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** A measured process. */
export interface Child {
  readonly process: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** CPU time of all its threads so far, in milliseconds; NaN where `/proc` is missing. */
  cpuMs(): number;
  /** Starts to measure CPU time; the returned function gives it per call, in microseconds. */
  measureUse(): (calls: number) => { cpuUs: number };
  /** Resident memory in megabytes; NaN where `/proc` is missing. */
  residentMb(): number;
  /** Kills it and waits until it is gone. */
  end(): Promise<void>;
}

/** Without the caller's certificates, Node options and colours. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(NODE_|npm_|FORCE_COLOR|NO_COLOR)/.test(name)),
);

/** No child outlives the benchmark. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

interface StartOptions {
  ipc?: true;
  /** Another Node than the running one. */
  node?: string | undefined;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Count the CPU time of child processes too. */
  tree?: boolean;
}

/** Starts Node with these arguments. */
export function start(args: readonly string[], options: StartOptions = {}): Child {
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
  const ownCpuMs = (): number => cpuMs(pid, options.tree === true);
  return {
    process: child,
    stdin,
    stdout,
    cpuMs: ownCpuMs,
    measureUse() {
      const before = ownCpuMs();
      return (calls) => ({ cpuUs: ((ownCpuMs() - before) * 1000) / calls });
    },
    residentMb: () => residentMb(pid),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function cpuMs(pid: number, tree: boolean): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const read = (name: string): string[] => readFileSync(`/proc/${pid}/task/${thread}/${name}`, 'utf8').split(' ');
      const children = tree ? read('children').filter(Boolean) : [];
      const own = Number(read('schedstat')[0]) / 1e6;
      return children.reduce((total, child) => total + cpuMs(Number(child), tree), sum + own);
    }, 0);
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
