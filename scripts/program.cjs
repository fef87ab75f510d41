'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const importModule = (/** @type {string} */ specifier) => import(specifier);

/** @type {Map<string, { script: Script, exports: object }>} */
const loaded = new Map();

/** What has been loaded so far, by path. */
exports.loaded = loaded;

/**
 * Loads a file of the program as `require` would, but from the code that V8 compiled when it was built, which lies
 * beside it. Where that is missing or does not fit, as on another Node, V8 compiles as usual. Code that comes out of a
 * cache cannot use `import()` on Node 20, so it is handed a function that can.
 *
 * @param {string} path
 */
function load(path) {
  const known = loaded.get(path);
  if (known !== undefined) return known.exports;

  const code = readFileSync(path, 'utf8');
  const source = `(function (exports, require, module, __filename, __dirname, importModule) { ${code}\n})`;
  const compiled = `${path}.v8`;
  const cache = existsSync(compiled) ? { cachedData: readFileSync(compiled) } : {};
  const module = { script: new Script(source, { filename: path, ...cache }), exports: {} };
  loaded.set(path, module);

  const directory = dirname(path);
  const requireOther = createRequire(path);
  const requireAny = (/** @type {string} */ id) => (id.startsWith('.') ? load(join(directory, id)) : requireOther(id));
  module.script.runInThisContext()(module.exports, requireAny, module, path, directory, importModule);
  return module.exports;
}
exports.load = load;
