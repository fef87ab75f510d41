import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One import of a file: the name, and when it is loaded. */
export interface Import {
  readonly from: string;
  readonly names: string;
  /** `late` is `import()`; `type` is erased in JavaScript. */
  readonly kind: 'static' | 'late' | 'type';
}

/** A source file, by its path from the repository's root. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export const root = fileURLToPath(new URL('../../', import.meta.url));

const statement =
  /^(?:import|export)\s+(type\s+)?(?:((?:\w+\s*,\s*)?\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+)\s+from\s+)?(['"])([^'"\n]+)\3/gm;
const call = /\bimport\(\s*(['"])([^'"\n]+)\1/g;

/** Finds the imports and re-exports of a file. A type in `import('…')` counts as late. */
export function source(path: string, text: string): Source {
  const statements = [...text.matchAll(statement)].map(
    ([, type, names = '', , from = '']): Import => ({ from, names, kind: type === undefined ? 'static' : 'type' }),
  );
  const calls = [...text.matchAll(call)].map(([, , from = '']): Import => ({ from, names: '', kind: 'late' }));
  return { path, text, imports: [...statements, ...calls] };
}

/** All sources of the published packages, without tests and their helpers; `names` filters by path. */
export function publishedSources(names = /\.ts$/): Source[] {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = `packages/${name}/src`;
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return files
      .filter((file) => names.test(file) && !file.endsWith('.test.ts') && !file.includes('fixtures/'))
      .map((file) => source(`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')));
  });
}

interface Manifest {
  name: string;
  exports?: Record<string, { 'ccmcp-source': string }>;
}

/** The public names of the workspace's packages, each with its source. */
export function publicNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const folder of readdirSync(join(root, 'packages'))) {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest;
    for (const [path, { 'ccmcp-source': file }] of Object.entries(manifest.exports ?? {})) {
      names.set(join(manifest.name, path), join('packages', folder, file));
    }
  }
  return names;
}
