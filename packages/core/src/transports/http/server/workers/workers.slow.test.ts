import { once } from 'node:events';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import { createServer } from '../../../../create-server.ts';
import { storeContract } from '../../../../testing/store-contract.ts';
import { handshake, statelessClient, textOf } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { httpHandler } from '../handler.ts';
import { serveWorker, createPrimaryClient } from './primary-rpc.ts';
import { createStoreClient, serveStore } from './shared-store.ts';
import { connectionTo, connectionsToAll } from './fixtures/connection.ts';
import { type Program, startProgram } from './fixtures/start.ts';
import { type ProcessChannel, type IpcChannel, openIpcChannel } from './ipc-channel.ts';
import type { WorkerCall, PrimaryMessage } from './messages.ts';
import { RestartBackoff } from './primary.ts';

describe('a server with workers', () => {
  let program: Program;
  let endProgram = (): void => {};
  beforeAll(() => {
    program = startProgram({ workers: 2 }, { ended: (end) => (endProgram = end) });
  });
  afterAll(() => endProgram());

  it('serves one address with the given number of processes, each with its number', async () => {
    const { url, pids, child, says, said } = program;
    const all = await connectionsToAll(await url, 2);
    await says(/(?:is process[\s\S]*){2}/);
    expect(new Set(all.keys())).toEqual(new Set(pids()));
    expect(all.has(child.pid ?? 0)).toBe(false);
    expect(said()).toMatch(/worker 1 is process/);
    expect(said()).toMatch(/worker 2 is process/);
    await says(/"data":"2 workers serve http:\/\/127\.0\.0\.1:\d+\/mcp"/);
  });

  it('serves a session on all of them, with standalone stream, questions and resumption', async () => {
    const { url } = program;
    const session = await handshake(await url, { capabilities: { elicitation: {} } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => session.call('who')));
    expect(new Set(answers.map(textOf)).size).toBe(2);
    // Each request has its own connection, so questions and answers reach different workers, too.
    const asked = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const events = readEvents(await session.sendCall('ask'));
        const question = await events.message();
        const result = { action: 'accept', content: { name: 'Ann' } };
        expect((await session.post({ jsonrpc: '2.0', id: question?.id, result })).status).toBe(202);
        return textOf((await events.message()) ?? {});
      }),
    );
    expect(new Set(asked.map((text) => text?.split(' ')[1]))).toEqual(new Set(['Ann']));
    expect((await session.end()).status).toBe(204);
    const after = await Promise.all(Array.from({ length: 6 }, () => session.send('ping')));
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('resumes a suspended call on any of them, without a configured secret', async () => {
    const { url } = program;
    const client = statelessClient(await url, { capabilities: { elicitation: {} } });
    const inputResponses = { 'input-1': { action: 'accept', content: { name: 'Ann' } } };
    const takenUp = async (): Promise<string | undefined> => {
      const { result } = await client.call('ask');
      const params = { name: 'ask', arguments: {}, inputResponses, requestState: result?.requestState };
      return textOf(await client.request('tools/call', params));
    };
    const texts = await Promise.all(Array.from({ length: 10 }, takenUp));
    expect(new Set(texts.map((text) => text?.split(' ')[1]))).toEqual(new Set(['Ann']));
  });

  it('runs, reads and answers tasks on any of them (TX-07, TX-14)', async () => {
    const { url } = program;
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    const client = statelessClient(await url, { capabilities: { elicitation: {}, extensions } });
    const inputResponses = { 'input-1': { action: 'accept', content: { name: 'Ann' } } };
    const worked = async (): Promise<string | undefined> => {
      const taskId = (await client.call('job')).result?.taskId as string;
      const about = { headers: { 'Mcp-Name': taskId } };
      const until = (status: string): Promise<Record<string, unknown> | undefined> =>
        vi.waitFor(
          async () => {
            const { result } = await client.request('tasks/get', { taskId }, about);
            expect(result?.status).toBe(status);
            return result;
          },
          { timeout: 10_000 },
        );
      await until('input_required');
      await client.request('tasks/update', { taskId, inputResponses }, about);
      return textOf({ result: (await until('completed'))?.result } as Parameters<typeof textOf>[0]);
    };
    const texts = await Promise.all(Array.from({ length: 6 }, worked));
    expect(new Set(texts.map((text) => text?.split(' ')[1]))).toEqual(new Set(['Ann']));
  });

  it('shares a given memory store', async () => {
    const { url } = startProgram({ workers: 2, ownMemory: true });
    const session = await handshake(await url);
    const answers = await Promise.all(Array.from({ length: 20 }, () => session.call('who')));
    expect(new Set(answers.map(textOf)).size).toBe(2);
  });

  it('names the worker in each line of the log', async () => {
    const { url, says } = program;
    expect(await connectionTo(await url).call('log')).toBe('logged');
    await says(/\{"time":"[^"]+","worker":[12],"level":"warning","logger":"program","data":"a line"\}/);
  });

  it('serves in the process itself with one worker', async () => {
    const { url, child } = startProgram({ workers: 1 });
    expect(await connectionTo(await url).call('who')).toBe(String(child.pid));
  });
});

describe('shutdown of a server with workers', () => {
  it('starts when any of them closes the service', async () => {
    const { url, exit, said } = startProgram({ workers: 2 });
    expect(await connectionTo(await url).call('stop')).toBe('stopping');
    expect(await exit).toBe(0);
    expect(said()).toMatch(/closed: [12]/);
  });

  it('does not start with a signal to a worker only', async () => {
    const { url: started } = startProgram({ workers: 2 });
    const url = await started;
    const all = await connectionsToAll(url, 2);
    for (const pid of all.keys()) process.kill(pid, 'SIGINT');
    for (const [pid, connection] of all) expect(await connection.call('who')).toBe(String(pid));
  });
});

describe('workers are rejected', () => {
  it.each([
    [{ workers: 0 }, '"workers" must be a number of processes, 1 or more, or "auto": 0'],
    [{ workers: 1.5 }, '"workers" must be a number of processes, 1 or more, or "auto": 1.5'],
    [{ workers: 2, twice: true }, 'A program can be served by workers once'],
    [{ workers: 2, host: '0.0.0.0' }, '0.0.0.0 is reachable from other machines'],
  ])('where that makes no sense: %o', async (options, message) => {
    const { says } = startProgram(options);
    expect((await says(/rejected: (.*)/))[1]).toContain(message);
  });

  it('in a cluster that somebody else started', async () => {
    const { says } = startProgram({ workers: 2 }, { env: { NODE_UNIQUE_ID: '1' } });
    expect((await says(/rejected: (.*)/))[1]).toContain('This process is one of several already');
  });

  it('for a handler', () => {
    const server = createServer({ name: 'test', version: '1.0.0' });
    expect(() => httpHandler(server, { workers: 2 } as object)).toThrow('"workers" is an option of serveHttp');
  });

  it('once if the address can not be used', async () => {
    const other = createNetServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { exit, said } = startProgram({ workers: 2, port });
    expect(await exit).toBe(1);
    expect(said()).toMatch(new RegExp(`^rejected: [^\\n]*EADDRINUSE[^\\n]*${port} \\(EADDRINUSE\\)\\n$`));
  });
});

describe('the restart backoff of workers', () => {
  it('applies to unstable workers only, and grows', () => {
    const restarts = new RestartBackoff();
    const failed = { servedMs: undefined, others: 1 };
    expect(restarts.delayAfter({ servedMs: 5000, others: 1 })).toBe(0);
    expect(Array.from({ length: 8 }, () => restarts.delayAfter(failed))).toEqual([
      100, 200, 400, 800, 1600, 3200, 5000, 5000,
    ]);
    expect(restarts.delayAfter({ servedMs: 1000, others: 0 })).toBe(0);
    expect(restarts.delayAfter({ servedMs: 999, others: 0 })).toBe(100);
  });

  it('stops after five failed restarts', () => {
    const restarts = new RestartBackoff();
    const ended = Array.from({ length: 5 }, () => restarts.delayAfter({ servedMs: undefined, others: 0 }));
    expect(ended).toEqual([100, 200, 400, 800, undefined]);
  });
});

describe('the store that workers share', () => {
  /** Two ends of a channel that transports JSON, as between two processes. */
  function twoEnds(): [IpcChannel<WorkerCall, PrimaryMessage>, IpcChannel<PrimaryMessage, WorkerCall>] {
    const received: ((message: unknown) => void)[][] = [[], []];
    const end = (own: number): ProcessChannel => ({
      on: (_, listener) => received[own]?.push(listener),
      send(message) {
        const text = JSON.stringify(message);
        setImmediate(() => received[1 - own]?.forEach((listener) => listener(JSON.parse(text))));
      },
    });
    return [openIpcChannel(end(0)), openIpcChannel(end(1))];
  }

  it.concurrent.each(storeContract)('$name', async ({ run }) => {
    const data = memoryStore();
    const open = (): Store => {
      const [worker, primary] = twoEnds();
      const lent = serveStore(data, (id, message) => primary.send({ listenerId: id, message }));
      serveWorker(primary, lent.operations);
      return createStoreClient(createPrimaryClient(worker));
    };
    await expect(run(open)).resolves.toBeUndefined();
  });

  it('encodes infinity as a large number', async () => {
    const [worker, primary] = twoEnds();
    serveWorker(primary, serveStore(memoryStore(), () => {}).operations);
    const store = createStoreClient(createPrimaryClient(worker));
    const endless = { ttlMs: Infinity, kind: 'test', limit: Infinity };
    await store.create('a', {}, endless);
    expect(await store.claim('b', endless, undefined)).toBe(true);
    expect(await store.alter('a', { add: ['c'], remove: [], max: { count: Infinity, length: Infinity } })).toBe(true);
    expect(await store.count('counted', 1, endless)).toMatchObject({ count: 1, leftMs: Number.MAX_VALUE });
    expect(await store.append('a', 'entry', { maxEntries: Infinity, maxLength: Infinity })).toBe(1);
    expect(await store.after('a', 0)).toHaveLength(1);
    expect([await store.read('a', endless), await store.read('b', endless)]).toEqual([{}, {}]);
  });

  it('batches the operations of one tick into one message', async () => {
    const sent: { ccmcp: WorkerCall[] }[] = [];
    const channel: ProcessChannel = { on: () => {}, send: (message) => sent.push(message as { ccmcp: WorkerCall[] }) };
    const store = createStoreClient(createPrimaryClient(openIpcChannel(channel)));
    for (let each = 0; each < 50; each++) void store.read(`key ${each}`, { ttlMs: 1, kind: 'test', limit: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent.map(({ ccmcp }) => ccmcp.length)).toEqual([50]);
  });

  it('sends nothing to a process that exited', async () => {
    const data = memoryStore();
    const received: string[] = [];
    const lent = serveStore(data, (_, message) => received.push(message));
    await (lent.operations.subscribe as (id: number, topic: string) => Promise<void>)(1, 'topic');
    await data.publish('topic', 'before');
    lent.end();
    await data.publish('topic', 'after');
    expect(received).toEqual(['before']);
  });
});
