import { createRequire } from 'node:module';
import type * as Fs from 'node:fs';

/** Loads `node:fs` when a file is read: it takes as long as a tenth of a server's start. Node before 20.16 only has `require`. */
export function fileSystem(): typeof Fs {
  return process.getBuiltinModule?.('node:fs') ?? (createRequire(process.execPath)('node:fs') as typeof Fs);
}
