import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What `wrk` measured. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** Head and body, on average. */
  readonly bytesPerAnswer: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** Sends these requests in turn for so long, with `wrk`. A wrong response ends the run. */
export async function loadByWrk(
  folder: string,
  port: number,
  { requests, connections, seconds }: { requests: readonly string[]; connections: number; seconds: number },
): Promise<Load> {
  const work = mkdtempSync(join(tmpdir(), 'ccmcp-load-'));
  const file = join(work, 'requests.txt');
  writeFileSync(file, requests.join('\f'), 'latin1');
  try {
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', join(folder, 'clients/wrk.lua')];
    return parseLoad(await output('wrk', [...options, `http://127.0.0.1:${port}/mcp`, '--', file]));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Parses the result line of `wrk.lua`. Throws if a response was wrong or missing. */
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

/** The version of the installed `wrk`, if there is one. */
export async function wrkVersion(): Promise<string | undefined> {
  try {
    return /wrk (?:\S+\/)?(\d[\w.]*)/.exec(await output('wrk', ['-v']))?.[1] ?? '';
  } catch {
    return undefined;
  }
}

/** The output of a program, whatever its exit code: `wrk -v` exits with 1. */
async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return printed;
}
