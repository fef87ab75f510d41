import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from './vitest.shared.mts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['packages/*/src/**/*.slow.test.ts', 'scripts/**/*.slow.test.ts', 'test/**/*.slow.test.ts'],
      testTimeout: 300_000,
      // One file at a time: some measure what a process takes, which is more where the machine is busy with another.
      maxWorkers: 1,
    },
  }),
);
