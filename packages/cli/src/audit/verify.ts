import { type AuditReport, verifyAudit } from '@ccmcp/core/audit';
import { print } from '../terminal/print.ts';
import { fileNames, logFiles } from './log-files.ts';

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
