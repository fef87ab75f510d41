import { defaultServerConditions } from 'vite';
import type { ViteUserConfig } from 'vitest/config';
import { buildView } from './scripts/view.mjs';

// As Node finds packages: what stands under "module" is for bundlers, and some of it Node can't load.
const conditions = ['ccmcp-source', ...defaultServerConditions.filter((condition) => condition !== 'module')];

// The Redis that tests may use is not meant for every server that they start.
if (process.env.REDIS_URL) process.env.CCMCP_TEST_REDIS = process.env.REDIS_URL;
delete process.env.REDIS_URL;

/** What the quick and the slow tests have in common. */
export const shared: ViteUserConfig = {
  plugins: [
    {
      name: 'views',
      enforce: 'pre',
      async load(id) {
        return /\/views\/.*\.html$/.test(id) ? `export default ${JSON.stringify(await buildView(id))}` : undefined;
      },
    },
  ],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Tests change what belongs to the whole process, such as the user it runs as.
    pool: 'forks',
    // A process for each file takes longer to start than most files take to run.
    isolate: false,
    setupFiles: ['test/support/fresh-modules.ts'],
    maxWorkers: '100%',
    // No test measures time, so these only end what hangs, on however busy a machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
};
