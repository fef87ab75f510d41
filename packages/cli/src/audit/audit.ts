import { basename } from 'node:path';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { auditFiles, type AuditReport, verifyAudit } from '@ccmcp/core/audit';
import { UsageError } from '../command/usage-error.ts';
import { print, toOneLine, safeJson } from '../terminal/print.ts';
import { parseRecord } from '../system/record.ts';

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

/** The command line of `ccmcp audit verify`. */
interface VerifyArguments {
  readonly values: { expect?: string; 'key-env'?: string; json?: true };
  readonly positionals: readonly string[];
}

/** Checks an audit log: `ccmcp audit verify FILE…`. */
export async function verify({ values, positionals }: VerifyArguments): Promise<number> {
  const files = logFiles(positionals);
  const { expect, 'key-env': variable, json } = values;
  const key = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && !key) throw new Error(`${variable} holds no key`);
  const report = await verifyAudit(files, { ...(expect !== undefined && { expect }), ...(key && { key }) });
  print(json ? `${JSON.stringify(report)}\n` : formatReport(report, files));
  return report.problems.length === 0 && report.lines > 0 ? 0 : 1;
}

function formatReport({ lines, calls, chains, head, problems, notes }: AuditReport, files: readonly string[]): string {
  if (lines === 0) return `${fileNames(files)}: no line of an audit log\n`;
  const by = chains === 1 ? '1 process' : `${chains} processes`;
  return [
    ...notes.map((note) => `note: ${note}`),
    ...problems.map(({ file, line, what, message }) => `${file}:${line}: ${what}: ${message}`),
    `${fileNames(files)}: ${lines} lines, ${calls} of calls, by ${by}`,
    problems.length === 0
      ? `As they were written. The last one has the hash ${head}`
      : `Not as they were written: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
    '',
  ].join('\n');
}

interface Call extends Partial<Record<'time' | 'caller' | 'address' | 'method' | 'name' | 'uri' | 'outcome', string>> {
  readonly kind?: string;
  readonly ms?: number;
  readonly error?: { readonly code: number };
  readonly arguments?: unknown;
}

/** The command line of `ccmcp audit show`. */
interface ShowArguments {
  readonly values: { tool?: string; caller?: string; outcome?: string; json?: true };
  readonly positionals: readonly string[];
}

/** Shows the calls in an audit log: `ccmcp audit show FILE…`. */
export async function show({ values, positionals }: ShowArguments): Promise<number> {
  const { tool, caller, outcome, json } = values;
  for (const file of logFiles(positionals)) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const call = parseCall(line);
      if (call === undefined) continue;
      const isWanted =
        (tool === undefined || call.name === tool || call.uri === tool) &&
        (caller === undefined || call.caller === caller) &&
        (outcome === undefined || call.outcome === outcome);
      if (isWanted) print(json ? `${line}\n` : `${toOneLine(formatCall(call))}\n`);
    }
  }
  return 0;
}

function parseCall(line: string): Call | undefined {
  const record: Call | undefined = parseRecord(line);
  return record?.kind === 'call' ? record : undefined;
}

function formatCall({ time, caller, address, method, name, uri, outcome, ms, error, arguments: given }: Call): string {
  const who = caller ?? address ?? '-';
  const what = [method, name ?? uri].filter((part) => part !== undefined).join(' ');
  const ended = error === undefined ? outcome : `${outcome} ${error.code}`;
  const about = given === undefined ? [] : [safeJson(given)];
  return [time, who, what, ended, `${ms} ms`, ...about].join('  ');
}
