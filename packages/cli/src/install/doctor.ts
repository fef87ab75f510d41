import { clientNamed, Misuse, type NamedClient, readArguments } from './arguments.ts';
import { clients } from './clients.ts';
import { pathOf } from './configuration.ts';
import { examine, type FileFinding, type Health, type ServerFinding, suspects } from './findings.ts';
import { doctorHelp } from './help.ts';
import { run } from './run.ts';
import { thisWorld, type World } from './world.ts';

const options = {
  file: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const timeoutMs = 10_000;

/** `ccmcp doctor`: looks at the servers that are configured. Returns the exit code. */
export function doctor(args: readonly string[]): Promise<number> {
  return doctorIn(args, thisWorld(), { timeoutMs });
}

/** The same in any world, with any patience. */
export function doctorIn(args: readonly string[], world: World, patience: { timeoutMs: number }): Promise<number> {
  return run('doctor', world, async () => {
    const { values, positionals } = readArguments(args, options);
    if (values.help) {
      world.print(doctorHelp);
      return 0;
    }
    const chosen = positionals.length === 0 ? everyClient() : positionals.map(clientNamed);
    const files = values.file === undefined ? suspects(chosen, world) : [named(chosen, values.file, world)];
    const findings: FileFinding[] = [];
    for (const file of files) {
      const finding = await examine(file, world, patience);
      findings.push(finding);
      if (!values.json) world.print(described(finding));
    }
    const isWell = findings.every(
      ({ problem, servers }) => problem === undefined && servers.every(({ health }) => health !== 'failed'),
    );
    if (values.json) world.print(`${JSON.stringify({ ok: isWell, files: findings }, null, 2)}\n`);
    else world.print(summary(findings));
    return isWell ? 0 : 1;
  });
}

function everyClient(): NamedClient[] {
  return Object.entries(clients).map(([id, client]) => ({ id, client }));
}

function named(chosen: readonly NamedClient[], file: string, world: World) {
  const [only, another] = chosen;
  if (only === undefined || another !== undefined) throw new Misuse('--file needs one CLIENT');
  return { ...only, path: pathOf(only.client, 'user', file, world) };
}

function described({ title, path, problem, servers }: FileFinding): string {
  const lines = problem === undefined ? servers.map(line) : [`  failed   the file can't be used: ${problem}`];
  const none = problem === undefined && servers.length === 0 ? ['  no servers'] : [];
  return [`${title}: ${path}`, ...lines, ...none, '', ''].join('\n');
}

function line({ name, health, reason, answer }: ServerFinding): string {
  const words = answer === undefined ? reason : `${Math.round(answer.ms)} ms, ${offers(answer)}`;
  return `  ${health.padEnd(8)} ${name}${words === undefined ? '' : `: ${words}`}`;
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
  const who = name === undefined ? '' : `${name} ${version}, `;
  return `${counts} (${who}${protocolVersion})`;
}

function summary(findings: readonly FileFinding[]): string {
  const servers = findings.flatMap((file) => file.servers);
  const of = (health: Health): number => servers.filter((server) => server.health === health).length;
  const bad = findings.filter(({ problem }) => problem !== undefined).length;
  const parts = [`${of('ok')} well`, `${of('failed')} failed`, `${of('off')} off`, `${of('untried')} untried`];
  return `${count(servers.length, 'server')} in ${count(findings.length, 'file')}: ${parts.join(', ')}${
    bad === 0 ? '' : `; ${count(bad, 'file')} unreadable`
  }\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
