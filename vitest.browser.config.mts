import { availableParallelism } from 'node:os';
import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from './vitest.shared.mts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['test/browser/**/*.test.ts'],
      globalSetup: ['test/browser/support/global-setup.ts'],
      // A page waits for other processes on a busy machine.
      testTimeout: 240_000,
      expect: { poll: { timeout: 60_000, interval: 20 } },
      // Each worker has a browser, which is several processes itself. One more than cores, for those that wait.
      maxWorkers: availableParallelism() + 1,
    },
  }),
);
