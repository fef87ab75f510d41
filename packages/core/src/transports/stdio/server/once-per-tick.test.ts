import { describe, expect, it } from 'vitest';
import { oncePerTick } from './connection.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work that runs once per tick', () => {
  it('runs at the end of the tick, however often it was requested', async () => {
    let done = 0;
    const soon = oncePerTick(() => done++);
    for (let i = 0; i < 3; i++) soon();
    await Promise.resolve();
    expect(done).toBe(0);
    await turn();
    await turn();
    expect(done).toBe(1);
  });

  it('runs again in a later tick, also when the work requests it', async () => {
    let done = 0;
    const soon = oncePerTick(() => {
      done++;
      if (done < 3) soon();
    });
    soon();
    for (let i = 0; i < 4; i++) await turn();
    expect(done).toBe(3);
    soon();
    await turn();
    expect(done).toBe(4);
  });
});
