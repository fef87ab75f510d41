import { Misuse } from '../command/usage-error.ts';
import { print } from '../terminal/print.ts';
import { tellFailure } from '../command/report-failure.ts';

/** What `ccmcp audit --help` prints. */
export const auditHelp = `Usage: ccmcp audit verify FILE… [--expect HASH] [--key-env NAME] [--json]
       ccmcp audit show FILE… [--tool NAME] [--caller NAME] [--outcome OUTCOME] [--json]

Reads audit logs, which servers write with --audit FILE.

verify says which lines were changed, removed, inserted or moved since they were written, and the hash of the last line. What was
cut off at the end can't be seen from the file alone: note that hash elsewhere, and give it later with --expect.
show shows the calls, one in a line.

With one FILE, those that were put aside belong to it too: FILE.1, FILE.2 and so on. With several, the oldest comes first.

  --expect HASH            the hash of a line that must be there
  --key-env NAME           the environment variable with the key that the lines were sealed with
  --tool NAME              only calls of this tool, or what else has this name or address
  --caller NAME            only those of this caller
  --outcome OUTCOME        only those that ended so: ok, asked, tool-error, error, refused or cancelled
  --json                   print JSON

Exit codes of verify: 0 it is as it was written, 1 it is not, or can't be read, 2 the command line is wrong.
`;

/** Tells how audit logs are read; whoever asked for nothing that there is, made a mistake. */
export async function explainAudit(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    print(auditHelp);
    return 0;
  }
  return tellFailure(new Misuse('audit needs verify or show'), { args, name: 'audit' });
}
