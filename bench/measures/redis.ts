import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, takeTurns, within } from '../bench.ts';
import { findLoader } from '../clients/load.ts';
import { loadedBy } from '../report/result.ts';
import { type HttpMode, redisSubject, type Subject, subjects } from '../subjects.ts';
import { freePort, type HttpServed, serve, stop } from './http.ts';

const connections = 50;

/** What a store in Redis costs, where the memory of the process would do: calls, commands, and memory there. */
export async function measureRedis(bench: Bench): Promise<void> {
  const redis = await startRedis();
  if (redis === undefined) return bench.say('        no redis-server on the PATH: left out');
  try {
    for (const mode of ['2026-07-28', 'session'] as const) await measureCalls(bench, redis, mode);
    await measureMemory(bench, redis);
  } finally {
    redis.end();
  }
}

/** A Redis of the benchmark's own. */
export interface OwnRedis {
  readonly url: string;
  /** A number in what Redis tells of itself. */
  number(section: string, name: string): Promise<number>;
  /** Begins to count the commands that clients send; what scripts do inside is not counted. Gives the way to stop. */
  countCommands(): Promise<() => Promise<number>>;
  end(): void;
}

async function measureCalls(bench: Bench, redis: OwnRedis, mode: HttpMode): Promise<void> {
  const { folder, facts, settings, samples } = bench;
  const loader = await findLoader(folder);
  facts.set(loadedBy, loader.name);
  const servers: (HttpServed & { subject: Subject })[] = [];
  try {
    for (const subject of [...subjects.filter(({ name }) => name === 'ccmcp'), redisSubject]) {
      const options = { mode, connections, more: [redis.url] };
      servers.push({ ...(await within(subject.name, serve(folder, subject, options))), subject });
    }
    const load = ({ subject, port, clients }: (typeof servers)[number]): ReturnType<typeof loader.load> =>
      within(
        subject.name,
        loader.load(port, { requests: clients.requests, connections, seconds: settings.loadSeconds }),
      );
    for (const server of servers) await load(server);
    await takeTurns(settings.rounds, servers, async (server, round) => {
      const { subject, child } = server;
      const [cpu, commands] = [child.cpuMs(), await redis.number('stats', 'total_commands_processed')];
      const { requests, seconds } = await load(server);
      const done = (await redis.number('stats', 'total_commands_processed')) - commands;
      const values = {
        perSecond: requests / seconds,
        cpuUs: ((child.cpuMs() - cpu) * 1000) / requests,
        ...(subject === redisSubject && { commands: done / requests }),
      };
      samples.add({ measure: `redis ${mode}`, subject: subject.name, round, values });
    });
  } finally {
    await Promise.all(servers.map((served) => stop(served)));
  }
}

async function measureMemory({ folder, settings, samples }: Bench, redis: OwnRedis): Promise<void> {
  const sessions = settings.sessionCounts.at(-1) ?? 0;
  const served = await within(
    redisSubject.name,
    serve(folder, redisSubject, { mode: 'session', connections, more: [redis.url] }),
  );
  try {
    const before = await redis.number('memory', 'used_memory');
    await within(redisSubject.name, served.clients.openSessions(sessions));
    const bytes = ((await redis.number('memory', 'used_memory')) - before) / sessions;
    samples.add({ measure: 'redis memory', subject: redisSubject.name, round: 0, values: { bytes } });
  } finally {
    await stop(served);
  }
}

/** Starts a Redis; undefined where there is none to start. */
export async function startRedis(): Promise<OwnRedis | undefined> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const failed = once(child, 'error').then(
    () => 'failed',
    () => 'failed',
  );
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const answers = async (): Promise<'there'> => {
    while ((await ask(port, 'PING').catch(() => '')) === '') await wait(50);
    return 'there';
  };
  if ((await Promise.race([failed, answers()])) === 'failed') return undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    end,
    async number(section, name) {
      const told = await ask(port, `INFO ${section}`);
      return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(told)?.[1]);
    },
    countCommands: () => countCommands(port),
  };
}

async function countCommands(port: number): Promise<() => Promise<number>> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const isThere = async (what: string): Promise<void> => {
    while (!text.includes(what)) await wait(5);
  };
  socket.write('MONITOR\r\n');
  await isThere('+OK');
  return async () => {
    // What was sent before it is there when it is.
    await ask(port, 'ECHO over');
    await isThere('"over"');
    socket.destroy();
    const lines = text.split('\r\n').filter((line) => line.startsWith('+') && line.includes('['));
    return lines.filter((line) => !line.includes(' lua] ')).length - 1;
  };
}

/** What Redis answers to a command; the first part of it, which is enough here. */
async function ask(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${command}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return String(answer);
  } finally {
    socket.destroy();
  }
}
