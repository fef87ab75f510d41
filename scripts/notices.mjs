import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the licences of the packages in a bundle, and of the data that its files were generated from.
 *
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @param {string} directory what the metafiles' paths are relative to
 * @param {string} target the directory that receives the file
 */
export function writeNotices(metafiles, directory, target) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const paths = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  const bundled = new Set(paths.flatMap(packageOf));
  const data = new Set(paths.flatMap((path) => noticeBeside(join(directory, path))));
  const notices = [...[...bundled].sort().map((path) => notice(join(directory, path))), ...[...data].sort()];
  if (notices.length > 0) writeFileSync(join(target, 'THIRD-PARTY-NOTICES.txt'), notices.join('\n'));
}

/** @param {string} path */
function packageOf(path) {
  return /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [];
}

/**
 * The `NOTICE.txt` beside a file that was generated from somebody's data.
 *
 * @param {string} path
 */
function noticeBeside(path) {
  const file = join(dirname(path), 'NOTICE.txt');
  return packageOf(path).length === 0 && existsSync(file) ? [readFileSync(file, 'utf8')] : [];
}

/** @param {string} directory */
function notice(directory) {
  const { name, version, license, module, main } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const files = readdirSync(directory).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(join(directory, file), 'utf8').trim());
  if (texts.length === 0) texts.push(headOf(readFileSync(join(directory, module ?? main), 'utf8')) ?? '');
  if (texts.includes('')) throw new Error(`${name} is bundled, but its package contains no licence text`);
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}

/**
 * Some packages have their licence at the beginning of their code.
 *
 * @param {string} code
 */
function headOf(code) {
  const comment = /^\s*\/\*+([\s\S]*?)\*\//.exec(code)?.[1];
  return comment !== undefined && /licen[cs]e/i.test(comment) ? comment.trim() : undefined;
}
