import type * as Vm from 'node:vm';
import { builtIn, hasNode } from '../runtime/kind.ts';

/** For how long this process has been busy, in milliseconds; where nobody says, the clock stands for it. */
export const cpuMs: () => number = hasNode ? processCpuMs : () => performance.now();

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
const maxAttempts = 3;
/** A try may last so many times as long as the first, where the machine gives us little of its time. */
const maxStretch = 10;

let vm: typeof Vm | undefined = builtIn('node:vm');
let script: Vm.Script | undefined;
let sandbox: { work?: () => unknown } | undefined;

/** Thrown by `withinTime` when the time was up. */
export class CheckTimeout extends Error {
  override name = 'CheckTimeout';
}

/** Loads what `withinTime` needs, where that takes waiting. To be called before the first time. */
export async function loadVm(): Promise<void> {
  if (hasNode) vm ??= await import('node:vm');
}

/**
 * Runs synchronous work and stops it after so many milliseconds, even inside a regular expression: `vm` is the one way
 * to do that without a second thread. Costs some 0.1 ms by itself. The work must be fit to be started again: `vm` goes
 * by the clock, which on a busy machine runs on while we have no turn, so work that had too little time gets more.
 * Where there is no `vm`, as in workerd, whoever runs the process has to limit the time of a request.
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

/** That error is made inside the context, so it is not an instance of our Error. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
