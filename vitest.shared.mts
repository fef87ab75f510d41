import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import type { ViteUserConfig } from 'vitest/config';
import { slowestFiles } from './scripts/slowest-files.mjs';
import { buildView } from './scripts/view.mjs';

// As Node finds packages: what stands under "module" is for bundlers, and some of it Node can't load.
const conditions = ['ccmcp-source', ...defaultServerConditions.filter((condition) => condition !== 'module')];

// Tests start hundreds of programs, which must not depend on the shell that `npm test` was typed into. The Redis that tests may
// use is not meant for each of them; a file of certificates costs each Node 20 that starts 60 ms, and only npm needs it.
const moved = { REDIS_URL: 'CCMCP_TEST_REDIS', NODE_EXTRA_CA_CERTS: 'CCMCP_TEST_CA_CERTS' };
for (const [name, kept] of Object.entries(moved)) {
  if (process.env[name]) process.env[kept] = process.env[name];
  delete process.env[name];
}
for (const name of ['NODE_DEBUG', 'NODE_OPTIONS', 'NO_COLOR', 'FORCE_COLOR']) delete process.env[name];

/** Where the report of the run is to be written, as JSON. */
const report = process.env.CCMCP_TEST_REPORT;

/** True for the page of an app, which the build makes one document. */
function isView(id: string): boolean {
  return /\/views\/.*\.html$/.test(id);
}

/** What the quick, the slow and the browser tests have in common. */
export const shared: ViteUserConfig = {
  plugins: [
    {
      name: 'views',
      enforce: 'pre',
      async load(id) {
        return isView(id) ? `export default ${JSON.stringify(await buildView(id))}` : undefined;
      },
      // A view is made of several files: what was made of it before may be out of date although its own file is not.
      configureVitest({ experimental_defineCacheKeyGenerator: defineCacheKey }) {
        defineCacheKey(({ id }) => (isView(id) ? false : undefined));
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
    globalSetup: ['test/support/built.ts'],
    setupFiles: ['test/support/fresh-modules.ts'],
    // What sources become is kept below node_modules, by their content: a second run starts a tenth sooner.
    experimental: { fsModuleCache: true },
    // Half of the time a file waits for other processes.
    maxWorkers: 2 * availableParallelism(),
    // No test measures time, so these only end what hangs, on however busy a machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000, interval: 20 } },
    reporters: [
      'default',
      slowestFiles(),
      ...(report === undefined ? [] : [['json', { outputFile: report }] as ['json', { outputFile: string }]]),
    ],
  },
};
