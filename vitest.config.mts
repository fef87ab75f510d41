import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import { shared } from './vitest.shared.mts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['{packages/*/src,scripts,test}/**/*.test.ts'],
      exclude: [...configDefaults.exclude, '**/*.slow.test.ts', 'test/browser/**'],
    },
  }),
);
