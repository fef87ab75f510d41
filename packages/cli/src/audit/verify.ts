import { type AuditReport, verifyAudit } from '@ccmcp/core/audit';
import { print } from '../terminal/print.ts';
import { auditWish, namesOf } from './options.ts';

/** Checks an audit log: `ccmcp audit verify FILE…`. */
export async function verify(args: readonly string[]): Promise<number> {
  const wish = auditWish(args, ['expect', 'key-env']);
  if (typeof wish === 'number') return wish;
  const { files, values, json } = wish;
  const { expect, 'key-env': variable } = values;
  const key = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && !key) throw new Error(`${variable} holds no key`);
  const report = await verifyAudit(files, { ...(expect !== undefined && { expect }), ...(key && { key }) });
  print(json ? `${JSON.stringify(report)}\n` : told(report, files));
  return report.problems.length === 0 && report.lines > 0 ? 0 : 1;
}

function told({ lines, calls, chains, head, problems, notes }: AuditReport, files: readonly string[]): string {
  if (lines === 0) return `${namesOf(files)}: no line of an audit log\n`;
  const by = chains === 1 ? '1 process' : `${chains} processes`;
  return [
    ...notes.map((note) => `note: ${note}`),
    ...problems.map(({ file, line, what, message }) => `${file}:${line}: ${what}: ${message}`),
    `${namesOf(files)}: ${lines} lines, ${calls} of calls, by ${by}`,
    problems.length === 0
      ? `As they were written. The last one has the hash ${head}`
      : `Not as they were written: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
    '',
  ].join('\n');
}
