import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What a program that loads servers found. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** Head and body, on average. */
  readonly bytesPerAnswer: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** A program that loads servers over HTTP, which is not ours. */
export interface Loader {
  /** Its name and version. */
  readonly name: string;
  /** Sends these requests in turns for so long. Every answer is checked; a wrong one ends the run. */
  load(port: number, options: { requests: readonly string[]; connections: number; seconds: number }): Promise<Load>;
}

/** `wrk` where it is installed, else autocannon, which `bench/peers` has. */
export async function findLoader(folder: string): Promise<Loader> {
  const version = await wrkVersion();
  if (version !== undefined) return loader(`wrk ${version}`, 'wrk', wrkArguments(folder));
  const manifest = readFileSync(join(folder, 'peers/node_modules/autocannon/package.json'), 'utf8');
  const { version: other } = JSON.parse(manifest) as { version: string };
  const program = join(folder, 'peers/load/autocannon.mjs');
  return loader(`autocannon ${other}`, process.execPath, (port, file, { connections, seconds }) => [
    program,
    `http://127.0.0.1:${port}/mcp`,
    file,
    String(connections),
    String(seconds),
  ]);
}

type Arguments = (port: number, file: string, options: { connections: number; seconds: number }) => string[];

function wrkArguments(folder: string): Arguments {
  const script = join(folder, 'clients/wrk.lua');
  return (port, file, { connections, seconds }) => [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    `http://127.0.0.1:${port}/mcp`,
    '--',
    file,
  ];
}

function loader(name: string, command: string, argumentsFor: Arguments): Loader {
  return {
    name,
    async load(port, { requests, connections, seconds }) {
      const work = mkdtempSync(join(tmpdir(), 'ccmcp-load-'));
      const file = join(work, 'requests.txt');
      writeFileSync(file, requests.join('\f'), 'latin1');
      try {
        const args = argumentsFor(port, file, { connections, seconds });
        return parseLoad(await output(command, args));
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
  };
}

/** Reads the line in which `wrk.lua` and `autocannon.mjs` say what they found. Fails where an answer was wrong or missing. */
export function parseLoad(printed: string): Load {
  const line = /^RESULT (.*)$/m.exec(printed)?.[1];
  if (line === undefined) throw new Error(`The load was not measured: ${printed.slice(0, 500)}`);
  const found = Object.fromEntries(
    line.split(' ').map((pair) => {
      const [name = '', value] = pair.split('=');
      return [name, Number(value)];
    }),
  );
  const { requests = 0, us = 0, bytes = 0, p50 = Number.NaN, p99 = Number.NaN, wrong, errors } = found;
  if (wrong !== 0 || errors !== 0) {
    const example = /^WRONG (.*)$/m.exec(printed)?.[1] ?? '';
    throw new Error(`${wrong} wrong answers and ${errors} failed connections of ${requests} requests: ${example}`);
  }
  if (!(requests > 0 && us > 0)) throw new Error(`Nothing was answered: ${line}`);
  return { requests, seconds: us / 1e6, bytesPerAnswer: bytes / requests, p50Us: p50, p99Us: p99 };
}

async function wrkVersion(): Promise<string | undefined> {
  try {
    return /wrk (?:\S+\/)?(\d[\w.]*)/.exec(await output('wrk', ['-v']))?.[1] ?? '';
  } catch {
    return undefined;
  }
}

/** What a program prints. `wrk -v` ends with code 1, so a code says nothing. */
async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return printed;
}
