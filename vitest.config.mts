import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import { fakeTimerTests } from './scripts/test-groups.mjs';
import { shared } from './vitest.shared.mts';

const exclude = [...configDefaults.exclude, '**/*.slow.test.ts', 'test/browser/**'];
const ownProcess = fakeTimerTests();

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'quick',
            include: ['{packages/*/src,scripts,test}/**/*.test.ts'],
            exclude: [...exclude, ...ownProcess],
          },
        },
        {
          // A fake clock replaces the globals of its process: what another file left running would use it, and be counted.
          extends: true,
          test: { name: 'fake timers', include: ownProcess, exclude, pool: 'forks', isolate: true },
        },
      ],
    },
  }),
);
