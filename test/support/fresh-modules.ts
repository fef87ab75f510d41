import { vi } from 'vitest';

// One process runs many test files, one after another. Each gets our modules as they are when a program starts.
vi.resetModules();

/** The clock as the process has it. */
const clock = { setTimeout, setInterval, setImmediate, performance, Date };
const { realClock = clock } = globalThis as { realClock?: typeof clock };
Object.assign(globalThis, { realClock });
for (const name of Object.keys(clock) as (keyof typeof clock)[]) {
  if (clock[name] !== realClock[name])
    throw new Error(`A test file that ran before has left a ${name} behind that is not real`);
}

// Whatever a test waits for comes soon, or not at all: a time limit only ends what hangs, on however busy a machine. Vitest's own
// is a second, and has no setting.
const { waitFor } = vi;
const patient = Symbol.for('ccmcp.patient');
if (!(patient in waitFor)) {
  const waitPatiently: typeof waitFor = (callback, options) => {
    const { timeout = 0, interval = 20 } = typeof options === 'number' ? { timeout: options } : (options ?? {});
    return waitFor(callback, { timeout: Math.max(timeout, 20_000), interval });
  };
  vi.waitFor = Object.assign(waitPatiently, { [patient]: true });
}
