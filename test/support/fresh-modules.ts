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
