import { vi } from 'vitest';

// One process runs many test files, one after another. Each gets newly loaded modules, as a program does at start.
vi.resetModules();

/** The real clock. */
const clock = { setTimeout, setInterval, setImmediate, performance, Date };
const { realClock = clock } = globalThis as { realClock?: typeof clock };
Object.assign(globalThis, { realClock });
for (const name of Object.keys(clock) as (keyof typeof clock)[]) {
  if (clock[name] !== realClock[name])
    throw new Error(`A test file that ran before has left a ${name} behind that is not real`);
}

// Raises the timeout of `vi.waitFor`, which is one second and has no setting: a timeout must only end what hangs, on a
// machine of any load.
const { waitFor } = vi;
const patient = Symbol.for('ccmcp.patient');
if (!(patient in waitFor)) {
  const waitPatiently: typeof waitFor = (callback, options) => {
    const { timeout = 0, interval = 20 } = typeof options === 'number' ? { timeout: options } : (options ?? {});
    return waitFor(callback, { timeout: Math.max(timeout, 20_000), interval });
  };
  vi.waitFor = Object.assign(waitPatiently, { [patient]: true });
}
