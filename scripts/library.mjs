import { basename, dirname, join, relative, sep } from 'node:path';
import { bundle } from './bundle.mjs';
import { emitDeclarations } from './declarations.mjs';
import { writeFile } from './files.mjs';
import { chunksOf, joinModules, namedByContent, uniqueNames } from './join.mjs';
import { writeNotices } from './notices.mjs';
import { importThem, leaveOut, minified } from './third-party.mjs';

/** The entries that a server on stdio imports at start, while its client waits. */
const waitedFor = ['index.js', 'stdio.js'];
/** Those of them that import nothing of Node, not even late: bundlers for Workers would follow that. */
const withoutNode = ['index.js'];
/** The chunk that it loads right after the first response. */
const loadedNext = /^connect-\w+\.js$/;
/** The entry of clients, which shares chunks with these. */
const forClients = ['client.js'];
/** The entries of extensions that a server imports at start, too. */
const forExtensions = ['groups.js', 'tasks.js'];
/** The same, with imports that only Node has. */
const forNode = ['apps.js'];

/**
 * Entries for web pages: one file each, which a browser can load unchanged, without chunks shared with code for Node.
 */
const forPages = ['apps-host.js'];

/**
 * Builds a library: ES modules and their declarations.
 *
 * @param {import('./packages.mjs').Package} each
 * @param {string} target the directory that receives the files
 */
export async function buildLibrary(each, target) {
  /** @param {import('./packages.mjs').Package['entries'][number]} entry */
  const isForPages = ({ output }) => forPages.includes(basename(output));
  const forNode = { ...each, entries: each.entries.filter((entry) => !isForPages(entry)) };
  /** @type {Set<string>} */
  const used = new Set();
  const { outputFiles, metafile } = await bundle(forNode, { outdir: target, plugins: [leaveOut(used)] });
  const others = await Promise.all([...used].sort().map((name) => minified(name, each.directory)));
  const texts = new Map(outputFiles.map(({ path, text }) => [relative(each.directory, path), text]));
  for (const [path, text] of await withSharedInFew(texts, metafile.outputs)) {
    const isChunk = dirname(join(each.directory, path)) === join(target, 'chunks');
    writeFile(join(each.directory, path), importThem(text, others, isChunk ? './' : './chunks/'));
  }
  for (const { file, text } of others) writeFile(join(target, 'chunks', file), text);
  const pages = { ...each, entries: each.entries.filter(isForPages) };
  if (pages.entries.length > 0) await buildForPages(pages, target);
  writeNotices([metafile, ...others.map((other) => other.metafile)], each.directory, target);
  emitDeclarations(each, target);
}

/**
 * @param {import('./packages.mjs').Package} pages with the entries that are for pages alone
 * @param {string} target
 */
async function buildForPages(pages, target) {
  const { outputFiles } = await bundle(pages, {
    outdir: target,
    splitting: false,
    platform: 'browser',
    target: 'es2022',
  });
  for (const { path, text } of outputFiles) writeFile(path, text);
}

/**
 * Joins the chunks that a client waits for into one file, and the others into one for each set of users: each file that is
 * read costs time.
 *
 * @param {ReadonlyMap<string, string>} bundled texts by path
 * @param {import('./join.mjs').Outputs} described
 */
async function withSharedInFew(bundled, described) {
  const files = [...bundled.keys()].filter((path) => described[path]?.entryPoint);
  const filesNamed = (/** @type {string[]} */ names) => files.filter((path) => names.includes(basename(path)));
  const first = filesNamed(waitedFor);
  // Nothing is shared where there is one entry.
  const moved = first.length > 1 ? filesNamed(withoutNode) : [];
  const { texts, outputs } = withEntriesAsChunks(moved, bundled, described);
  const shared = chunksOf(first, outputs);
  const chunks = (/** @type {string[]} */ entries) =>
    chunksOf(entries, outputs).filter((path) => !shared.includes(path));
  const ofClients = chunks(filesNamed(forClients));
  const ofExtensions = chunks(filesNamed(forExtensions));
  const ofNode = chunks(filesNamed(forNode));
  const loaded = chunks(files.filter((path) => loadedNext.test(basename(path))));
  let joined = await joinChunks('shared', shared, texts, outputs);
  // What several of them share is apart, so that none loads what only others need.
  const users = { client: ofClients, extensions: ofExtensions, node: ofNode, next: loaded };
  const groups = groupBy(new Set(Object.values(users).flat()), (path) =>
    Object.entries(users)
      .filter(([, used]) => used.includes(path))
      .map(([name]) => name)
      .join('-'),
  );
  for (const [name, group] of groups) joined = await joinChunks(name, group, joined, outputs);
  return joined;
}

/**
 * Moves the code of entries to chunks, which are joined with those that they import; the entries only export. Short texts
 * are on V8's young heap, where they bring the first garbage collection nearer; the joined one is too large for it.
 *
 * @param {readonly string[]} entries
 * @param {ReadonlyMap<string, string>} bundled texts by path
 * @param {import('./join.mjs').Outputs} described
 */
function withEntriesAsChunks(entries, bundled, described) {
  const texts = new Map(bundled);
  const outputs = { ...described };
  for (const entry of entries) {
    const output = described[entry];
    if (output === undefined) continue;
    const file = `entry-${basename(entry)}`;
    const chunk = join(dirname(entry), 'chunks', file);
    texts.set(chunk, (bundled.get(entry) ?? '').replaceAll('"./chunks/', '"./'));
    texts.set(entry, `export { ${output.exports.join(', ')} } from "./chunks/${file}";\n`);
    outputs[chunk] = output;
    outputs[entry] = { ...output, imports: [{ path: chunk, kind: 'import-statement' }] };
  }
  return { texts, outputs };
}

/**
 * Joins chunks into one file, and redirects imports of them to it.
 *
 * @param {string} name
 * @param {readonly string[]} chunks
 * @param {ReadonlyMap<string, string>} texts by path
 * @param {import('./join.mjs').Outputs} outputs
 */
async function joinChunks(name, chunks, texts, outputs) {
  const [first] = chunks;
  if (first === undefined) return texts;

  const named = [...uniqueNames(chunks, outputs)].map(([path, names]) => ({ file: basename(path), path, names }));
  const exported = named.map(({ file, names }) => {
    const list = names.map(({ name, unique }) => `${name} as ${unique}`);
    return `export { ${list.join(', ')} } from './${file}';`;
  });
  const shared = await joinModules(
    exported.join('\n'),
    new Map(named.map(({ file, path }) => [file, texts.get(path)])),
  );
  const sharedPath = join(dirname(first), namedByContent(name, shared, '.js'));

  const result = new Map([[sharedPath, shared]]);
  for (const [path, text] of texts) {
    if (chunks.includes(path)) continue;
    const from = relative(dirname(path), sharedPath).split(sep).join('/');
    const standIns = named.map(({ file, names }) => {
      const list = names.map(({ name, unique }) => `${unique} as ${name}`);
      return /** @type {const} */ ([file, `export { ${list.join(', ')} } from './${from}';`]);
    });
    result.set(path, await joinModules(text, new Map(standIns)));
  }
  return result;
}

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => string} keyOf
 */
function groupBy(items, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
