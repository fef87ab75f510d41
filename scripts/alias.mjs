import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Modules that are bundled from another file than Node would load: an ES module can't contain one that calls `require`.
 */
export const alias = {
  yaml: join(dirname(createRequire(import.meta.url).resolve('yaml/package.json')), 'browser/index.js'),
};
