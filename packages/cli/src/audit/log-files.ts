import { basename } from 'node:path';
import { auditFiles } from '@ccmcp/core/audit';
import { UsageError } from '../command/usage-error.ts';

/** The files of a log: with one name, its rotated files too. */
export function logFiles(positionals: readonly string[]): readonly string[] {
  const [only, ...others] = positionals;
  if (only === undefined) throw new UsageError('Name the file of an audit log');
  return others.length === 0 ? auditFiles(only) : positionals;
}

/** Several files in one phrase. */
export function fileNames(files: readonly string[]): string {
  return files.map((file) => basename(file)).join(', ');
}
