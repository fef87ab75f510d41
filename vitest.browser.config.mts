import { availableParallelism } from 'node:os';
import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from './vitest.shared.mts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['test/browser/**/*.test.ts'],
      globalSetup: ['test/browser/support/global-setup.ts'],
      // Each worker has a browser, which is several processes itself. One more than cores, for those that wait.
      maxWorkers: availableParallelism() + 1,
    },
  }),
);
