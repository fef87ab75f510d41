import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What is bundled from another file than Node would take: an ES module can't hold one that calls `require`. */
export const alias = {
  yaml: join(dirname(createRequire(import.meta.url).resolve('yaml/package.json')), 'browser/index.js'),
};
