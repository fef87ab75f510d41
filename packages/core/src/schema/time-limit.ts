import type * as Vm from 'node:vm';
import { builtIn, hasNode } from '../runtime/kind.ts';

/** CPU time of this process in milliseconds; wall time where the runtime does not report it. */
export const cpuMs: () => number = hasNode ? processCpuMs : () => performance.now();

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
const maxAttempts = 3;
/** The maximum extension of a retry on a busy machine. */
const maxStretch = 10;

let vm: typeof Vm | undefined = builtIn('node:vm');
let script: Vm.Script | undefined;
let sandbox: { work?: () => unknown } | undefined;

/** Thrown by `runWithTimeout`. */
export class CheckTimeout extends Error {
  override name = 'CheckTimeout';
}

/** Loads `node:vm`. Call it before the first `runWithTimeout`. */
export async function loadVm(): Promise<void> {
  if (hasNode) vm ??= await import('node:vm');
}

/**
 * Runs synchronous work with a timeout that works even inside a regular expression: only `vm` can do that without a
 * second thread. Costs about 0.1 ms. The work must be restartable: `vm` measures wall time, so on a busy machine work
 * that got too little CPU time is retried with more. Without `vm`, as in workerd, there is no timeout.
 */
export function runWithTimeout<T>(milliseconds: number, work: () => T, cpuTime = cpuMs): T {
  if (vm === undefined) return work();
  let clock = milliseconds;
  for (let attempt = 1; ; attempt += 1) {
    const before = cpuTime();
    try {
      return run(vm, Math.ceil(clock), work);
    } catch (error) {
      if (!isTimeout(error)) throw error;
      const used = cpuTime() - before;
      if (used > milliseconds * 0.8 || attempt === maxAttempts)
        throw new CheckTimeout(`stopped after ${milliseconds} ms`);
      const share = Math.max(used / clock, 1 / maxStretch);
      clock = milliseconds / share;
    }
  }
}

function run<T>({ Script, createContext }: typeof Vm, milliseconds: number, work: () => T): T {
  script ??= new Script('work()');
  sandbox ??= createContext({});
  sandbox.work = work;
  try {
    return script.runInContext(sandbox, { timeout: milliseconds }) as T;
  } finally {
    delete sandbox.work;
  }
}

/** The error is created inside the context, so it is not an instance of our Error. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
