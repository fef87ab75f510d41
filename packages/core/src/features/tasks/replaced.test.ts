import { describe, expect, it, vi } from 'vitest';
import { createServer, type Server, tool } from '../../index.ts';
import { replaceable } from '../../server/replaceable.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createGate, Instance, stopClock } from './fixtures/instance.ts';
import { mortalStore } from './fixtures/mortal-store.ts';
import { tasks } from './tasks.ts';

const endless = (): Promise<never> => new Promise(() => {});

function version(work: () => unknown, runsAgain = false): Server {
  return createServer({
    name: 'x',
    version: '1',
    logger: { level: 'error', write() {} },
    extensions: [tasks({ leaseMs: 300 })],
    tools: [tool('work', { task: 'optional', runsAgain }, work as () => string)],
  });
}

describe('a server with tasks that is replaced by another version', () => {
  it('resumes tasks of dead instances with the latest version', async () => {
    stopClock();
    const shared = memoryStore();
    const [dying, living] = [mortalStore(shared), mortalStore(shared)];
    const ran: string[] = [];
    const work = (which: string) => () => {
      ran.push(which);
      return endless();
    };
    const one = new Instance({ made: version(work('gone'), true), store: dying.store });
    const { server, replace } = replaceable(version(work('former'), true));
    new Instance({ made: server, store: living.store });
    await one.begin('work');
    await vi.waitFor(() => expect(ran).toEqual(['gone']));
    replace(version(work('latest'), true));
    dying.die();

    await vi.waitFor(() => expect(ran).toEqual(['gone', 'latest']));
  });

  it('releases the tasks of every version when it stops', async () => {
    const store = memoryStore();
    const { server, replace } = replaceable(version(endless));
    const one = new Instance({ made: server, store });
    const reader = new Instance({ made: version(endless), store });
    const former = await one.begin('work');
    replace(version(endless));
    const latest = await one.begin('work');
    await one.close();

    for (const id of [former, latest]) expect((await reader.get(id)).status).toBe('failed');
  });

  it('finishes a task on the version that started it, then drops that version', async () => {
    const store = memoryStore();
    const passing = createGate();
    const { server, replace } = replaceable(version(() => passing.passed.then(() => 'former')));
    const one = new Instance({ made: server, store });
    const id = await one.begin('work');
    replace(version(endless));
    await one.begin('work');
    expect((await store.members('tasks/x/workers')).size).toBe(2);
    passing.open();

    expect((await one.until(id, 'completed')).result).toMatchObject({ content: [{ text: 'former' }] });
    await vi.waitFor(async () => expect((await store.members('tasks/x/workers')).size).toBe(1));
  });
});
