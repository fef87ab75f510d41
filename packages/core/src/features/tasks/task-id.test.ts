import { expect, it, vi } from 'vitest';

it('creates no task id that begins with a dash, whatever the random bytes are', async () => {
  vi.resetModules();
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
    const view = bytes as unknown as Uint8Array;
    // The first bytes are 64 values in a row, four of which are written with a dash.
    for (let at = 0; at < view.length; at += 1) view[at] = at % 18 === 0 ? 0xe0 + at / 18 : at;
    return bytes;
  });
  try {
    const { createTaskId } = await import('./task-id.ts');
    const ids = Array.from({ length: 64 }, () => createTaskId(0, 1000));
    expect(random).toHaveBeenCalledTimes(2);
    expect(ids.filter((id) => id.startsWith('-'))).toEqual([]);
    expect(new Set(ids.map((id) => id[0])).size).toBeGreaterThan(8);
  } finally {
    random.mockRestore();
  }
});
