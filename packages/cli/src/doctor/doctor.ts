import { availableParallelism } from 'node:os';
import { clientNamed, type NamedClient, readArguments } from '../install/arguments.ts';
import { clients } from '../install/clients.ts';
import { pathOf } from '../install/configuration.ts';
import { examine, type FileFinding, type Health, type ServerFinding, suspects } from './diagnose.ts';
import { doctorHelp } from '../install/help.ts';
import { Misuse } from '../command/usage-error.ts';
import { oneLine } from '../terminal/print.ts';
import type { Patience } from './probe-entry.ts';
import { run } from '../install/run.ts';
import { turns } from './concurrency-limit.ts';
import { thisWorld, type World } from '../util/environment.ts';

const options = {
  file: { type: 'string' },
  timeout: { type: 'string' },
  project: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const usual: Patience = { timeoutMs: 10_000, downloadMs: 60_000 };

/** How many servers are tried at once: they spend most of the time waiting. */
const atOnce = Math.max(4, availableParallelism());

/** `ccmcp doctor`: looks at the servers that are configured. Returns the exit code. */
export function doctor(args: readonly string[]): Promise<number> {
  return doctorIn(args, thisWorld());
}

/** The same in any world. */
export function doctorIn(args: readonly string[], world: World): Promise<number> {
  return run({ name: 'doctor', args }, world, async () => {
    const { values, positionals } = readArguments(args, options);
    if (values.help) {
      world.print(doctorHelp);
      return 0;
    }
    const chosen = positionals.length === 0 ? everyClient() : positionals.map(clientNamed);
    const files = values.file === undefined ? suspects(chosen, world) : [named(chosen, values.file, world)];
    const patience = values.timeout === undefined ? usual : patienceOf(values.timeout);
    const examination = { ...patience, project: values.project === true, inTurn: turns(atOnce) };
    const looks = files.map((file) => examine(file, world, examination));
    const findings: FileFinding[] = [];
    for (const look of looks) {
      const finding = await look;
      findings.push(finding);
      if (!values.json) world.print(described(finding));
    }
    const isWell = findings.every(
      ({ problem, servers }) => problem === undefined && servers.every(({ health }) => health !== 'failed'),
    );
    if (values.json) world.print(`${JSON.stringify({ ok: isWell, files: findings })}\n`);
    else world.print(summary(findings));
    return isWell ? 0 : 1;
  });
}

function patienceOf(seconds: string): Patience {
  const timeoutMs = 1000 * Number(seconds);
  if (!(timeoutMs > 0 && timeoutMs <= 3_600_000)) {
    throw new Misuse(`--timeout must be a number of seconds above 0, at most an hour: ${seconds}`);
  }
  return { timeoutMs, downloadMs: timeoutMs };
}

function everyClient(): NamedClient[] {
  return Object.entries(clients).map(([id, client]) => ({ id, client }));
}

function named(chosen: readonly NamedClient[], file: string, world: World) {
  const [only, another] = chosen;
  if (only === undefined || another !== undefined) throw new Misuse('--file needs one CLIENT');
  return { ...only, path: pathOf(only.client, 'user', file, world), author: 'named' as const };
}

function described({ title, path, problem, servers }: FileFinding): string {
  const lines = problem === undefined ? servers.map(line) : [`  failed   the file can't be used: ${problem}`];
  const none = problem === undefined && servers.length === 0 ? ['  no servers'] : [];
  return [`${title}: ${path}`, ...lines, ...none, '', ''].join('\n');
}

function line({ name, health, reason, answer }: ServerFinding): string {
  const answered = answer && `${Math.round(answer.ms)} ms, ${offers(answer)}`;
  const words = [answered, reason].filter((each) => each !== undefined).join('; ');
  return `  ${health.padEnd(8)} ${oneLine(name)}${words === '' ? '' : `: ${words.replaceAll('\n', '\n           ')}`}`;
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
  const who = name === undefined ? '' : `${oneLine(name)} ${oneLine(String(version))}, `;
  return `${counts} (${who}${protocolVersion})`;
}

function summary(findings: readonly FileFinding[]): string {
  const servers = findings.flatMap((file) => file.servers);
  const of = (health: Health): number => servers.filter((server) => server.health === health).length;
  const bad = findings.filter(({ problem }) => problem !== undefined).length;
  const alone = findings.reduce((sum, { leftAlone }) => sum + leftAlone, 0);
  const advice =
    alone === 0
      ? ''
      : `${count(alone, 'server')} of this folder ${alone === 1 ? 'was' : 'were'} left alone: "ccmcp doctor --project" ` +
        `tries ${alone === 1 ? 'it' : 'them'}, if you trust who wrote ${alone === 1 ? 'it' : 'them'}\n`;
  const parts = [`${of('ok')} well`, `${of('failed')} failed`, `${of('off')} off`, `${of('untried')} untried`];
  return `${count(servers.length, 'server')} in ${count(findings.length, 'file')}: ${parts.join(', ')}${
    bad === 0 ? '' : `; ${count(bad, 'file')} unreadable`
  }\n${advice}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
