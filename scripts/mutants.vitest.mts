import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import ordinary from '../vitest.config.mts';
import { packages } from './packages.mjs';

/** The usual settings, for the copy of the repository with the mutants; `mutants.mjs` selects the tests. */
export default defineConfig({
  ...ordinary,
  // `node_modules` belongs to the original repository, and links to packages without mutants.
  resolve: { ...ordinary.resolve, alias: packages.flatMap(sourcesOf) },
  test: {
    ...ordinary.test,
    include: JSON.parse(process.env.MUTANTS_TESTS ?? '[]'),
    exclude: [
      ...configDefaults.exclude,
      // A thread can't change its user id.
      'packages/servers/src/ccmcp/sandbox*.test.ts',
      // Sources with all mutants are too slow for time limits.
      'packages/core/src/schema/hostile.test.ts',
    ],
  },
});

function sourcesOf({ directory }: { directory: string }): { find: RegExp; replacement: string }[] {
  const { name, exports = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return Object.entries<Record<string, string>>(exports).map(([path, conditions]) => ({
    find: new RegExp(`^${name}${path.slice(1)}$`),
    replacement: join(directory, conditions['ccmcp-source'] ?? ''),
  }));
}
