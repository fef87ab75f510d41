import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

// npm runs this in the folder of the package that it packs: the tarball must not contain files of earlier builds.
const directory = process.cwd();
rmSync(join(directory, 'dist'), { recursive: true, force: true });
await import('./build.mjs');
copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
