import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { auditFiles } from '@ccmcp/core/audit';
import { Misuse } from '../command/usage-error.ts';
import { optionMisuse } from '../command/usage-error.ts';
import { print } from '../terminal/print.ts';
import { tellFailure } from '../command/report-failure.ts';
import { auditHelp } from './help.ts';

/** The files of a log, and what was asked about them. */
export interface AuditWish<Name extends string> {
  readonly files: readonly string[];
  readonly values: Partial<Record<Name, string>>;
  readonly json: boolean;
}

/** Reads the words behind `audit verify` and `audit show`. Gives an exit code where there is nothing more to do. */
export function auditWish<Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): AuditWish<Name> | number {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    print(auditHelp);
    return 0;
  }
  const parsed = parse(args, names);
  if (typeof parsed === 'string') return mistake(parsed, args);
  const [only, ...others] = parsed.positionals;
  if (only === undefined) return mistake('Name the file of an audit log', args);
  const { json, ...values } = parsed.values;
  return {
    files: others.length === 0 ? auditFiles(only) : parsed.positionals,
    values: values as AuditWish<Name>['values'],
    json: json === true,
  };
}

/** The words, or what is wrong with them. */
function parse(
  args: readonly string[],
  names: readonly string[],
): { values: Record<string, unknown>; positionals: string[] } | string {
  const strings = Object.fromEntries(names.map((name) => [name, { type: 'string' }] as const));
  try {
    return parseArgs({
      args: joinHash(args),
      options: { ...strings, json: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    return optionMisuse(error as Error, [...names, 'json']).message;
  }
}

/** A hash may begin with a dash, and is no option then. */
function joinHash(args: readonly string[]): string[] {
  const at = args.indexOf('--expect') + 1;
  const hash = at === 0 ? undefined : args[at];
  if (hash === undefined || !/^-[\w-]{42}$/.test(hash)) return [...args];
  return [...args.slice(0, at - 1), `--expect=${hash}`, ...args.slice(at + 1)];
}

/** What several files are called together. */
export function namesOf(files: readonly string[]): string {
  return files.map((file) => basename(file)).join(', ');
}

function mistake(message: string, args: readonly string[]): number {
  return tellFailure(new Misuse(message), { args, name: 'audit' });
}
