import { bundle } from './bundle.mjs';
import { emitDeclarations } from './declarations.mjs';
import { writeNotices } from './notices.mjs';
import { writeFile } from './files.mjs';

/**
 * Builds a package that others import: ES modules and their types.
 *
 * @param {import('./packages.mjs').Package} each
 * @param {string} target the directory that receives the files
 */
export async function buildLibrary(each, target) {
  const { outputFiles, metafile } = await bundle(each, { outdir: target });
  for (const { path, text } of outputFiles) writeFile(path, text);
  writeNotices(metafile, each.directory, target);
  emitDeclarations(each, target);
}
