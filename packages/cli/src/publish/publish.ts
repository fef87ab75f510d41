import { exitCodes } from '../command/failure.ts';
import { UsageError } from '../command/usage-error.ts';
import { print, toOneLine } from '../terminal/print.ts';
import { type Finding, findProblems } from './findings.ts';
import { interruptible } from '../command/interruptible.ts';
import { readProject } from './project.ts';

/** The command line of `ccmcp publish`. */
interface PublishArguments {
  readonly values: { check?: true; strict?: true; json?: true };
  readonly positionals: readonly string[];
}

/** `ccmcp publish --check`: what keeps a project from being published. Returns the exit code. */
export async function publish({ values, positionals }: PublishArguments): Promise<number> {
  const [folder, another] = positionals;
  if (another !== undefined) throw new UsageError(`unexpected argument: ${another}`);
  if (values.check === undefined) {
    throw new UsageError(
      'ccmcp publishes nothing: "ccmcp publish --check" says what "npm publish" and "mcp-publisher publish" would reject',
    );
  }
  const project = readProject(folder);
  const findings = await interruptible((signal) => findProblems(project, signal));
  const { name, version } = project;
  print(
    values.json
      ? `${JSON.stringify({ name, version, findings })}\n`
      : `${formatFindings(findings)}${summary(findings, name)}\n`,
  );
  const fails = ({ severity }: Finding): boolean => severity === 'error' || values.strict === true;
  return exitCodes[findings.some(fails) ? 'findings' : 'done'].code;
}

function formatFindings(findings: readonly Finding[]): string {
  return findings
    .map(
      ({ severity, where, message, change }) =>
        `${severity.padEnd(7)} ${toOneLine(`${where}: ${message}`)}\n        -> ${toOneLine(change)}\n`,
    )
    .join('');
}

function summary(findings: readonly Finding[], name: string): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) return `\n${name} can not be published yet: ${errors} ${errors === 1 ? 'error' : 'errors'}`;
  return `${findings.length === 0 ? '' : '\n'}${name} is ready: npm publish, then mcp-publisher publish`;
}
