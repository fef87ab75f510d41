'use strict';

const { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { Script } = require('node:vm');

const importModule = (/** @type {string} */ specifier) => import(specifier);

/**
 * A program in files that load each other as with `require`, but from the code that V8 has compiled before, which lies
 * beside them. Where that is missing or does not fit, as on another Node, V8 compiles as usual, and what it has compiled
 * soon after the start or by the end, whichever is first, is kept for the next time. Code that comes out of a cache cannot use `import()` on Node 20, so it is handed
 * a function that can.
 *
 * @param {string} directory where the files are
 * @param {NodeJS.Require} requireOther finds what is not of the program
 */
exports.programIn = (directory, requireOther) => {
  /** @type {Map<string, { exports: object }>} the files that have been loaded, by name */
  const loaded = new Map();
  /** @type {Map<string, () => object>} what chunks export that stand inside of another file, by name */
  const provided = new Map();
  const provide = provided.set.bind(provided);
  const requireAny = (/** @type {string} */ id) => (id.startsWith('./') ? load(id) : requireOther(id));

  /** @param {string} name `./` and what the file is called */
  function load(name) {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const inside = provided.get(name);
    if (inside !== undefined) return inside();

    const path = directory + name.slice(1);
    const module = { exports: {} };
    loaded.set(name, module);
    compile(path).runInThisContext()(module.exports, requireAny, module, path, directory, importModule, provide);
    return module.exports;
  }

  return load;
};

/** @param {string} path a file that holds a function, see `toCommonJs` of the build */
function compile(path) {
  // Faster than UTF-8; the build writes ASCII.
  const source = readFileSync(path).toString('latin1');
  const cachedData = readCompiled(path);
  const script = new Script(source, { filename: path, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) keepCompiled(path, script);
  return script;
}

/** Each Node has its own: two that take turns would replace each other's. @param {string} path */
function cacheOf(path) {
  return `${path}.${process.version}-${process.arch}.v8`;
}

/** @param {string} path */
function readCompiled(path) {
  try {
    const stored = readFileSync(cacheOf(path));
    const end = stored.length - Buffer.byteLength(path);
    // Compiled code knows its file by the path it had: in a clone that was moved, errors would name the old one.
    if (stored.toString('utf8', end) !== path) return undefined;
    // Stored twice: damaged code crashes V8, and comparing costs less than a checksum.
    const data = stored.subarray(0, end / 2);
    return data.equals(stored.subarray(end / 2, end)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Time to answer first: soon enough for servers whose clients end them by force. In milliseconds. */
const WRITE_AFTER = 100;

/** @type {Map<string, Script>} */
const toKeep = new Map();

/** @param {string} path @param {Script} script */
function keepCompiled(path, script) {
  if (toKeep.size === 0) {
    process.once('exit', writeCompiled);
    setTimeout(writeCompiled, WRITE_AFTER).unref();
  }
  toKeep.set(path, script);
}

/** @param {string} path */
function removeIfAllowed(path) {
  try {
    rmSync(path, { force: true });
  } catch {
    // Under the permission model even a file that is not there may not be removed.
  }
}

function writeCompiled() {
  process.off('exit', writeCompiled);
  const scripts = [...toKeep];
  toKeep.clear();
  for (const [path, script] of scripts) {
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      // Opened first: where nothing can be written, nothing need be made. Another process that reads finds all or none.
      const file = openSync(temporary, 'w');
      try {
        const data = script.createCachedData();
        writeFileSync(file, Buffer.concat([data, data, Buffer.from(path)]));
      } finally {
        closeSync(file);
      }
      renameSync(temporary, cacheOf(path));
    } catch {
      // Not ours to write, or no room: the next start takes a little longer, and nothing else.
      removeIfAllowed(temporary);
      return;
    }
  }
}
