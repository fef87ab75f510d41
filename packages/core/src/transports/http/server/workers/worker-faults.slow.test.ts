import { describe, expect, it, onTestFinished } from 'vitest';
import { handshake } from '../fixtures/client.ts';
import { type Connection, connectionTo, connectionsToAll } from './fixtures/connection.ts';
import { startProgram } from './fixtures/start.ts';

/** True while there is a process of that number. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Calls without a pause until stopped, and returns the number of answered calls. The first failure ends it. */
function keepCalling(connection: Connection): { stop(): Promise<number> } {
  const enough = new AbortController();
  const work = async (): Promise<number> => {
    let answered = 0;
    for (; !enough.signal.aborted; answered += 1) await connection.call('who');
    return answered;
  };
  const done = work();
  done.catch(() => {});
  return {
    stop() {
      enough.abort();
      return done;
    },
  };
}

/** Rejected by a server that is about to close, or where nothing listens any more: no call was lost. */
const politely = /^503|ECONNREFUSED/;

describe('a worker that crashes', () => {
  it('is restarted at the same address, and no call on the others fails', async () => {
    const { url: started, says } = startProgram({ workers: 2 });
    const url = await started;
    const [[victim], [, survivor]] = [...(await connectionsToAll(url, 2))] as [
      [number, Connection],
      [number, Connection],
    ];
    const calling = keepCalling(survivor);
    process.kill(victim, 'SIGKILL');
    await says(new RegExp(`Worker \\d \\(process ${victim}\\) ended with SIGKILL; it is replaced`));
    await says(/(?:is process[\s\S]*){3}/);
    const now = await connectionsToAll(url, 2);
    expect(await calling.stop()).toBeGreaterThan(0);
    expect(now.has(victim)).toBe(false);
  });

  it('together with all others is restarted at the same address, also with port 0', async () => {
    const { url: started } = startProgram({ workers: 2, port: 0 });
    const url = await started;
    const before = await connectionsToAll(url, 2);
    for (const pid of before.keys()) process.kill(pid, 'SIGKILL');
    const now = async (): Promise<number> =>
      Number(
        await connectionTo(url)
          .call('who')
          .catch(() => 0),
      );
    await expect.poll(async () => before.has(await now()), { timeout: 10_000 }).toBe(false);
    await expect.poll(now, { timeout: 10_000 }).toBeGreaterThan(0);
    expect((await connectionsToAll(url, 2)).size).toBe(2);
  });

  it('leaves sessions and subscriptions available on the others', async () => {
    const { url: started, says } = startProgram({ workers: 2 });
    const url = await started;
    const session = await handshake(url);
    const [victim] = (await connectionsToAll(url, 2)).keys();
    process.kill(victim as number, 'SIGKILL');
    await says(/it is replaced/);
    const fresh = connectionTo(url);
    await expect.poll(() => fresh.call('who').catch(() => '')).not.toBe('');
    expect(await session.request('ping').catch(() => session.request('ping'))).toMatchObject({ result: {} });
  });

  it('repeatedly at start ends the program with an error and an exit code', async () => {
    const { exit, said } = startProgram({ workers: 2, breaks: true });
    expect(await exit).toBe(1);
    expect(said()).toContain('broken on purpose');
    expect(said()).toMatch(/rejected: Worker \d \(process \d+\) ended with code 1, like those before it/);
  });
});

describe('a server whose workers all crash repeatedly', () => {
  it('exits with an error and an exit code, whatever keeps its program alive', async () => {
    const { url, exit, says, said, pids } = startProgram({ workers: 2, lasting: true });
    await url;
    const killing = setInterval(() => {
      for (const pid of pids().filter(isAlive)) process.kill(pid, 'SIGKILL');
    }, 20);
    onTestFinished(() => clearInterval(killing));
    await says(/"The service has stopped"/);
    expect(await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 10_000, 'it stays'))])).toBe(1);
    expect(said()).toContain('like those before it: no worker serves, giving up');
  });
});

describe('shutdown of a server with workers', () => {
  it('drains running calls when the primary gets a signal', async () => {
    const { url: started, child, exit, said, pids } = startProgram({ workers: 2 });
    const url = await started;
    const all = [...(await connectionsToAll(url, 2)).values()];
    const slow = all.map((connection) => connection.call('wait', { ms: 300 }));
    const calling = Array.from({ length: 4 }, () => keepCalling(connectionTo(url)));
    await connectionTo(url).call('wait', { ms: 50 });
    child.kill('SIGTERM');
    expect(await Promise.all(slow)).toEqual(['waited', 'waited']);
    for (const each of calling)
      await expect(each.stop().catch((error: Error) => error.message)).resolves.toEqual(
        expect.toSatisfy((end: unknown) => typeof end === 'number' || politely.test(String(end))),
      );
    expect(await exit).toBe(0);
    expect(pids().filter(isAlive)).toEqual([]);
    expect(said()).toContain('closed: all');
  });

  it('works before all workers have started', async () => {
    const { exit, said } = startProgram({ workers: 2, hasty: true });
    expect(await exit).toBe(1);
    expect(said()).toMatch(/rejected: .*was closed before all workers served/);
  });

  it('ends the workers when the primary is killed', async () => {
    const { url, child, exit, pids } = startProgram({ workers: 2 });
    await url;
    child.kill('SIGKILL');
    expect(await exit).toBe('SIGKILL');
    await expect.poll(() => pids().filter(isAlive)).toEqual([]);
  });
});
