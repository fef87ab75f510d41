'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const importModule = (/** @type {string} */ specifier) => import(specifier);

/** @typedef {(...parts: unknown[]) => void} Body */

/** @type {Map<string, { script?: Script, exports: object }>} */
const loaded = new Map();

/** @type {Map<string, Body>} chunks that stand inside of another file, by the path they would have */
const inside = new Map();

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

  /** @type {{ script?: Script, exports: object }} */
  const module = { exports: {} };
  loaded.set(path, module);
  const directory = dirname(path);
  const define = (/** @type {string} */ id, /** @type {Body} */ body) => inside.set(join(directory, id), body);
  const requireAny = (/** @type {string} */ id) =>
    id.startsWith('.') ? load(join(directory, id)) : requireFrom(directory)(id);
  const body = inside.get(path) ?? read(path, module);
  body(module.exports, requireAny, module, path, directory, importModule, define);
  return module.exports;
}
exports.load = load;

/** @type {Map<string, ReturnType<typeof createRequire>>} */
const requires = new Map();

/** How what is not of the program is found from one of its directories. @param {string} directory */
function requireFrom(directory) {
  const known = requires.get(directory);
  if (known !== undefined) return known;
  const made = createRequire(join(directory, 'program.cjs'));
  requires.set(directory, made);
  return made;
}

/** @param {string} path @param {{ script?: Script }} module @returns {Body} */
function read(path, module) {
  const code = readFileSync(path, 'utf8');
  const source = `(function (exports, require, module, __filename, __dirname, importModule, define) { ${code}\n})`;
  const compiled = `${path}.v8`;
  const cache = existsSync(compiled) ? { cachedData: readFileSync(compiled) } : {};
  module.script = new Script(source, { filename: path, ...cache });
  return module.script.runInThisContext();
}
