import { availableParallelism } from 'node:os';
import { findClient, type NamedClient, clients } from '../config/clients.ts';
import { resolvePath } from '../config/configuration.ts';
import {
  diagnoseFile,
  type FileFinding,
  type Health,
  type QuirkFinding,
  type ServerFinding,
  configFiles,
  limitConcurrency,
} from './diagnose.ts';
import { UsageError } from '../command/usage-error.ts';
import { toOneLine } from '../terminal/print.ts';
import type { ProbeTimeouts } from './probe-entry.ts';
import type { Environment } from '../system/environment.ts';

const defaultTimeouts: ProbeTimeouts = { timeoutMs: 10_000, downloadMs: 60_000 };

/** How many servers are tested at once: they mostly wait. */
const concurrency = Math.max(4, availableParallelism());

/** The command line of `ccmcp doctor`. */
interface DoctorArguments {
  readonly values: { file?: string; timeout?: string; project?: true; json?: true };
  readonly positionals: readonly string[];
}

/** `ccmcp doctor`: checks the servers that are configured. Returns the exit code. */
export async function doctor({ values, positionals }: DoctorArguments, environment: Environment): Promise<number> {
  const chosen = positionals.length === 0 ? everyClient() : positionals.map(findClient);
  const files =
    values.file === undefined ? configFiles(chosen, environment) : [clientAtFile(chosen, values.file, environment)];
  const timeouts = values.timeout === undefined ? defaultTimeouts : parseTimeout(values.timeout);
  const options = { ...timeouts, project: values.project === true, limit: limitConcurrency(concurrency) };
  const pending = files.map((file) => diagnoseFile(file, environment, options));
  const findings: FileFinding[] = [];
  for (const diagnosis of pending) {
    const finding = await diagnosis;
    findings.push(finding);
    if (!values.json) environment.print(formatFinding(finding));
  }
  const isWell = findings.every(
    ({ problem, servers }) => problem === undefined && servers.every(({ health }) => health !== 'failed'),
  );
  if (values.json) environment.print(`${JSON.stringify({ ok: isWell, files: findings })}\n`);
  else environment.print(summary(findings));
  return isWell ? 0 : 1;
}

function parseTimeout(seconds: string): ProbeTimeouts {
  const timeoutMs = 1000 * Number(seconds);
  if (!(timeoutMs > 0 && timeoutMs <= 3_600_000)) {
    throw new UsageError(`--timeout must be a number of seconds above 0, at most an hour: ${seconds}`);
  }
  return { timeoutMs, downloadMs: timeoutMs };
}

function everyClient(): NamedClient[] {
  return Object.entries(clients).map(([id, client]) => ({ id, client }));
}

function clientAtFile(chosen: readonly NamedClient[], file: string, environment: Environment) {
  const [only, another] = chosen;
  if (only === undefined || another !== undefined) throw new UsageError('--file needs one CLIENT');
  return { ...only, path: resolvePath(only.client, 'user', file, environment), author: 'named' as const };
}

function formatFinding({ title, path, problem, servers }: FileFinding): string {
  const lines =
    problem === undefined
      ? servers.map((server) => formatServer(server, title))
      : [`  failed   the file can't be used: ${problem}`];
  const none = problem === undefined && servers.length === 0 ? ['  no servers'] : [];
  return [`${title}: ${path}`, ...lines, ...none, '', ''].join('\n');
}

function formatServer({ name, health, reason, answer, quirks = [] }: ServerFinding, title: string): string {
  const answered = answer && `${Math.round(answer.ms)} ms, ${offers(answer)}`;
  const words = [answered, reason].filter((each) => each !== undefined).join('; ');
  const first = `${toOneLine(name)}${words === '' ? '' : `: ${words}`}`;
  const lines = [first, ...quirks.map((quirk) => `${title} ${formatQuirk(quirk)}`)];
  return `  ${health.padEnd(8)} ${lines.join('\n').replaceAll('\n', '\n           ')}`;
}

function formatQuirk({ id, summary, source, tools = [], missing = [] }: QuirkFinding): string {
  const names = tools.slice(0, 5).map(toOneLine).join(', ');
  const more = tools.length > 5 ? ` and ${tools.length - 5} more` : '';
  const affected = [...(tools.length === 0 ? [] : [names + more]), ...missing].join('; ');
  return `${summary}: ${affected} (${id}, ${source})`;
}

function offers({
  tools,
  resources,
  prompts,
  name,
  version,
  protocolVersion,
}: NonNullable<ServerFinding['answer']>): string {
  const counts = [count(tools, 'tool'), count(resources, 'resource'), count(prompts, 'prompt')].join(', ');
  const who = name === undefined ? '' : `${toOneLine(name)} ${toOneLine(String(version))}, `;
  return `${counts} (${who}${protocolVersion})`;
}

function summary(findings: readonly FileFinding[]): string {
  const servers = findings.flatMap((file) => file.servers);
  const countOf = (health: Health): number => servers.filter((server) => server.health === health).length;
  const bad = findings.filter(({ problem }) => problem !== undefined).length;
  const alone = findings.reduce((sum, { leftAlone }) => sum + leftAlone, 0);
  const advice =
    alone === 0
      ? ''
      : `${count(alone, 'server')} of this folder ${alone === 1 ? 'was' : 'were'} left alone: "ccmcp doctor --project" ` +
        `tries ${alone === 1 ? 'it' : 'them'}, if you trust ${alone === 1 ? 'its' : 'their'} author\n`;
  const parts = [
    `${countOf('ok')} well`,
    `${countOf('failed')} failed`,
    `${countOf('off')} off`,
    `${countOf('untried')} untried`,
  ];
  return `${count(servers.length, 'server')} in ${count(findings.length, 'file')}: ${parts.join(', ')}${
    bad === 0 ? '' : `; ${count(bad, 'file')} unreadable`
  }\n${advice}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
