import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, start } from '../child.ts';
import { startFaults } from './faults.ts';
import { Tally } from './tally.ts';
import { startUsers } from './users.ts';

const usage = 'npm run soak -- [--minutes 60]';

/** Allowed growth of memory from the second to the last quarter. */
const growth = { ratio: 1.1, megabytes: 8 };

/** Uses a server for a long time beside faulty clients. Returns the exit code: 0 if nothing failed and memory is flat. */
export async function main(folder: string, args: readonly string[]): Promise<number> {
  const minutes = args.length === 0 ? 60 : Number(args[1]);
  if ((args.length > 0 && args[0] !== '--minutes') || !(minutes > 0) || args.length > 2) {
    process.stderr.write(`Usage: ${usage}\n`);
    return 2;
  }
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const work = mkdtempSync(join(tmpdir(), 'ccmcp-soak-'));
  const command = [join(folder, '../ccmcp'), 'ccmcp', 'notes', '--root', work, '--db', join(work, 'notes.db')];
  const server = start([...command, '--http', '0']);
  try {
    const url = await addressOf(server);
    say(`${url}, for ${minutes} minutes`);
    const tally = new Tally();
    const stop = new AbortController();
    const parties = [
      ...startUsers({ url, command, tally, stop: stop.signal }),
      ...startFaults(url, tally, stop.signal),
    ];
    const memory = await watch(server, minutes * 60_000, (line) => say(`${line}; ${tally.line()}`));
    stop.abort();
    await Promise.all(parties);
    return report(tally, memory, say);
  } finally {
    await server.end();
    rmSync(work, { recursive: true, force: true });
  }
}

/** The address that the server prints. */
async function addressOf({ stdout }: Child): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    stdout.on('data', (chunk) => {
      if (text.length < 10_000) text += chunk;
      const url = /http:\/\/\S+\/mcp/.exec(text)?.[0];
      if (url !== undefined) resolve(url);
    });
    stdout.once('end', () => reject(new Error(`The server did not start: ${text}`)));
  });
}

/** Samples the server's memory. */
async function watch(server: Child, ms: number, say: (line: string) => void): Promise<number[]> {
  const samples: number[] = [];
  const every = Math.max(1000, Math.min(30_000, ms / 40));
  const started = performance.now();
  while (performance.now() - started < ms) {
    await new Promise((resolve) => setTimeout(resolve, every));
    if (server.process.exitCode !== null || server.process.signalCode !== null) throw new Error('The server has ended');
    samples.push(server.residentMb());
    say(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${samples.at(-1)?.toFixed(0)} MB`);
  }
  return samples;
}

function report(tally: Tally, memory: readonly number[], say: (text: string) => void): number {
  const quarter = Math.floor(memory.length / 4);
  const early = median(memory.slice(quarter, 2 * quarter));
  const late = median(memory.slice(-quarter));
  const flat = late <= early * growth.ratio + growth.megabytes;
  process.stdout.write(`${tally.table()}\n`);
  process.stdout.write(
    `memory: second quarter ${early.toFixed(0)} MB, last quarter ${late.toFixed(0)} MB: ${flat ? 'flat' : 'growing'}\n`,
  );
  for (const problem of tally.problems) say(problem);
  return tally.failed === 0 && flat ? 0 : 1;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
