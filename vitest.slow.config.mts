import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import { measuringTests } from './scripts/test-groups.mjs';
import { shared } from './vitest.shared.mts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      testTimeout: 300_000,
      // Neither runs while the other does; `--project` names one of them.
      projects: [
        {
          extends: true,
          test: { name: 'measuring', include: measuringTests, maxWorkers: 1, sequence: { groupOrder: 0 } },
        },
        {
          extends: true,
          test: {
            name: 'waiting',
            include: ['{packages/*/src,scripts,test}/**/*.slow.test.ts'],
            exclude: [...configDefaults.exclude, ...measuringTests],
            maxWorkers: 2,
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  }),
);
