import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, withTimeout } from '../bench.ts';
import { freePort, loadInTurns, withHttpServers } from '../http-server.ts';
import { limitedName, limitedRedisName, ours, redisName, variant } from '../subjects.ts';

/** A Redis server of the benchmark. */
export interface Redis {
  readonly url: string;
  /** Counts the commands of clients, without those inside scripts, until the returned function is called. */
  countCommands(): Promise<() => Promise<number>>;
}

/** The cost of a Redis store: calls, commands, and memory. */
export function measureRedis(bench: Bench): Promise<void> {
  return withRedis(bench, async ({ url }) => {
    const redis = variant(redisName, `redis=${url}`);
    const commands = (): Promise<number> => readInfo(url, 'stats', 'total_commands_processed');
    for (const mode of ['2026-07-28', 'session'] as const) {
      await withHttpServers(bench, [variant(ours), redis], { mode }, (servers) =>
        loadInTurns(bench, servers, {
          measure: `redis ${mode}`,
          async also({ subject }) {
            const before = await commands();
            return async (requests) =>
              subject === redis ? { commands: ((await commands()) - before) / requests } : {};
          },
        }),
      );
    }
    const sessions = bench.settings.sessionCounts.at(-1) ?? 0;
    await withHttpServers(bench, [redis], { mode: 'session' }, async ([server]) => {
      const before = await readInfo(url, 'memory', 'used_memory');
      await withTimeout(redisName, server?.clients.openSessions(sessions) ?? Promise.resolve());
      const bytes = ((await readInfo(url, 'memory', 'used_memory')) - before) / sessions;
      bench.samples.add({ measure: 'redis memory', subject: redisName, round: 0, values: { bytes } });
    });
  });
}

/** The cost of a rate limit, counted in memory and in Redis. */
export function measureLimits(bench: Bench): Promise<void> {
  return withRedis(bench, async ({ url }) => {
    const redis = `redis=${url}`;
    const taking = [
      variant(ours),
      variant(limitedName, 'limited'),
      variant(redisName, redis),
      variant(limitedRedisName, redis, 'limited'),
    ];
    await withHttpServers(bench, taking, {}, (servers) => loadInTurns(bench, servers, { measure: 'limits' }));
  });
}

/** Runs `work` with a Redis server, or skips it if there is none to start. */
export async function withRedis({ say }: Bench, work: (redis: Redis) => Promise<void>): Promise<void> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const failed = once(child, 'error').then(() => false);
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `redis://127.0.0.1:${port}`;
  const answers = async (): Promise<boolean> => {
    while ((await send(url, 'PING').catch(() => '')) === '') await wait(50);
    return true;
  };
  try {
    if (await Promise.race([failed, answers()])) await work({ url, countCommands: () => countCommands(url) });
    else say('        no redis-server on the PATH: skipped');
  } finally {
    kill();
  }
}

async function countCommands(url: string): Promise<() => Promise<number>> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const waitForText = async (what: string): Promise<void> => {
    while (!text.includes(what)) await wait(5);
  };
  socket.write('MONITOR\r\n');
  await waitForText('+OK');
  return async () => {
    // MONITOR keeps the order: all earlier commands have arrived with this one.
    await send(url, 'ECHO over');
    await waitForText('"over"');
    socket.destroy();
    const lines = text.split('\r\n').filter((line) => line.startsWith('+') && line.includes('['));
    return lines.filter((line) => !line.includes(' lua] ')).length - 1;
  };
}

async function readInfo(url: string, section: string, name: string): Promise<number> {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await send(url, `INFO ${section}`))?.[1]);
}

/** Sends a command; returns the first part of the reply. */
async function send(url: string, command: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${command}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return String(answer);
  } finally {
    socket.destroy();
  }
}
