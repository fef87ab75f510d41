import { dirname, join } from 'node:path';

/**
 * A statement of a declaration file. One without names always stays.
 *
 * @typedef {{ text: string, code: string, names: readonly Name[], from?: string }} Statement
 * @typedef {{ text: string, source: string, local: string }} Name
 */

/** The start of a statement: the comment above it, or else its keyword. */
const keyword = /^(?:import|export|declare|interface|type|abstract|\/\/\/) /.source;
const comment = /^\/\*\*(?:(?!\*\/).)*\*\/\n/.source;
const start = new RegExp(`(?=${comment}${keyword})|(?<!\\*/\\n)(?=${keyword})`, 'ms');
const declared = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|function|const|let) (\w+)/;
const listed = /^(?:import|export)(?: type)? \{(?<names>[^}]*)\}(?: from ["'](?<from>[^"']+)["'])?;$/;
const whole = /^import(?: type)? \* as (?<local>\w+) from ["'](?<from>[^"']+)["'];$/;
const inline = /\bimport\(["']([^"']+)["']\)\.(\w+)/g;
const reference = /^(?:\/\/\/ |import ["'])/;

/**
 * Removes declarations that no entry reaches: `tsc` writes all exports of a file, and with them every file that one of
 * them needs. Relies on its layout: each statement starts in the first column.
 *
 * @param {ReadonlyMap<string, string>} texts declaration files by path
 * @param {readonly string[]} entries paths of those whose exports are public
 */
export function pruneDeclarations(texts, entries) {
  const files = new Map(
    [...texts].map(([path, text]) => [path, text.split(start).map((each) => toStatement(each, path))]),
  );
  const used = new Map([...texts.keys()].map((path) => [path, new Set()]));
  /** @type {{ path: string, name: string }[]} */
  const found = [];
  const use = (/** @type {string} */ path, /** @type {Iterable<string>} */ names) => {
    for (const name of names) {
      if (used.get(path)?.has(name) !== false) continue;
      used.get(path)?.add(name);
      found.push({ path, name });
    }
  };

  for (const path of entries) {
    for (const { code, names } of files.get(path) ?? []) if (code.startsWith('export')) use(path, names.map(toLocal));
  }
  // The list grows during iteration: each name adds those it refers to.
  for (const { path, name } of found) {
    const resolve = (/** @type {string} */ specifier) => join(dirname(path), specifier.replace(/\.ts$/, '.d.ts'));
    for (const { code, names, from } of files.get(path) ?? []) {
      if (name === '*') use(path, names.map(toLocal));
      const named = names.find(({ local }) => local === name);
      if (named === undefined) continue;
      if (from !== undefined) {
        use(resolve(from), [named.source]);
        continue;
      }
      use(path, code.match(/\w+/g) ?? []);
      for (const [, specifier = '', imported = ''] of code.matchAll(inline)) use(resolve(specifier), [imported]);
    }
  }

  const isUsed =
    (/** @type {string} */ path) =>
    (/** @type {Name} */ { local }) =>
      used.get(path)?.has(local);
  return new Map(
    [...files]
      .filter(([path, statements]) => statements.some(({ names }) => names.some(isUsed(path))))
      .map(([path, statements]) => [path, statements.map((each) => print(each, isUsed(path))).join('')]),
  );
}

/** @param {Statement} statement @param {(name: Name) => boolean | undefined} isUsed */
function print({ text, code, names }, isUsed) {
  const kept = names.filter(isUsed);
  if (names.length === kept.length) return text;
  if (kept.length === 0) return '';
  return text.replace(code, code.replace(/\{[^}]*\}/, `{ ${kept.map((name) => name.text).join(', ')} }`));
}

/** @param {string} text @param {string} path @returns {Statement} */
function toStatement(text, path) {
  const code = text.replace(/\/\*.*?\*\//gs, '').trim();
  const { names: list, from } = listed.exec(code)?.groups ?? {};
  if (list !== undefined) {
    const names = list
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
      .map(toName);
    return { text, code, names, ...(from !== undefined && { from }) };
  }
  const { local, from: module } = whole.exec(code)?.groups ?? {};
  if (local !== undefined && module !== undefined) {
    return { text, code, names: [{ text: local, source: '*', local }], from: module };
  }
  const [, name] = declared.exec(code) ?? [];
  if (name !== undefined) return { text, code, names: [{ text: name, source: name, local: name }] };
  if (reference.test(code)) return { text, code, names: [] };
  throw new Error(`${path}: can't tell what this declares: ${code.slice(0, 80)}`);
}

/** @param {string} text such as `type A as B` */
function toName(text) {
  const [source = '', local = source] = text.replace(/^type /, '').split(' as ');
  return { text, source, local };
}

/** @param {Name} name */
function toLocal({ local }) {
  return local;
}
