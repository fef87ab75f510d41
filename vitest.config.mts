import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

const conditions = ['ccmcp-source', ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    // Tests change what belongs to the whole process, such as the user it runs as.
    pool: 'forks',
    testTimeout: 20_000,
  },
});
