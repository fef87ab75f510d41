import { createRequire } from 'node:module';
import type * as Fs from 'node:fs';
import { builtIn } from './kind.ts';

/** Loads `node:fs` when a file is read: it takes as long as a tenth of a server's start. Node before 20.16 only has `require`. */
export function fileSystem(): typeof Fs {
  return builtIn('node:fs') ?? (createRequire(process.execPath)('node:fs') as typeof Fs);
}
