import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMakeDisk, makeDisk } from '../fixtures/disk.ts';
import { failEach } from '../fixtures/failures.ts';
import { cutPower } from '../fixtures/power-cut.ts';
import { buildProgram } from '../fixtures/writers.ts';

describe.skipIf(!canMakeDisk)('notes on a failing disk', () => {
  it('are not acknowledged if any of 200 writes and syncs fails (FT-08)', { timeout: 600_000 }, async () => {
    const disk = makeDisk();
    onTestFinished(disk.remove);
    const { rounds, faults } = await failEach(
      disk,
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    expect(faults).toEqual([]);
    expect(rounds).toBe(400);
  });

  it('survive 200 power cuts if they were acknowledged (FT-07)', {
    timeout: 600_000,
  }, async () => {
    const disk = makeDisk();
    onTestFinished(disk.remove);
    await disk.run([await buildProgram('writer'), join(disk.folder, 'notes.db'), 'w', '60']);
    expect(await cutPower(disk, 200)).toEqual([]);
  });

  it('share syncs when created concurrently, and survive power cuts (FT-07)', {
    timeout: 600_000,
  }, async () => {
    const syncs = async (atOnce: number): Promise<number> => {
      const disk = makeDisk();
      onTestFinished(disk.remove);
      await disk.run([await buildProgram('writer'), join(disk.folder, 'notes.db'), 'w', '48', String(atOnce)]);
      const operations = disk.operations();
      expect(operations.filter(({ kind }) => kind === 'A')).toHaveLength(48);
      expect(await cutPower(disk, 20)).toEqual([]);
      return operations.filter(({ kind }) => kind === 'S').length;
    };
    const [alone, together] = [await syncs(1), await syncs(12)];
    expect(together).toBeLessThan(alone / 3);
  });
});
