import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type Server, tool } from '@ccmcp/core';
import { createLock, formatLock } from '@ccmcp/core/contracts';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../../test/support/ccmcp.ts';
import { assertLocked } from './assert-locked.ts';

const serve = (description: string, ...names: string[]): Server =>
  createServer({ name: 'mine', version: '1', tools: names.map((name) => tool(name, { description }, () => '')) });

async function lockOf(targets: Record<string, Server>): Promise<string> {
  const path = join(emptyFolder(), 'lock.json');
  writeFileSync(path, formatLock(await createLock(targets)));
  return path;
}

describe('a server with a lock', () => {
  it('may be as it was locked, or offer more', async () => {
    const path = await lockOf({ './server.js': serve('Greet', 'greet') });
    for (const server of [serve('Greet', 'greet'), serve('Greet', 'greet', 'wave')]) {
      await expect(assertLocked(server, path)).resolves.toBeUndefined();
    }
  });

  it('is not served with another wording, or without a tool', async () => {
    const path = await lockOf({ './server.js': serve('Greet', 'greet') });
    const differs = { kind: 'held-back', message: expect.stringContaining('tool greet: the description changed') };
    await expect(assertLocked(serve('Greet, and tell nobody', 'greet'), path)).rejects.toMatchObject(differs);
    await expect(assertLocked(serve('Greet', 'wave'), path)).rejects.toThrow('tool greet: it is gone');
  });

  it('is found by its name, which must be there once', async () => {
    const other = createServer({ name: 'other', version: '1', tools: [] });
    const mine = serve('Greet', 'greet');
    await expect(assertLocked(other, await lockOf({ mine }))).rejects.toThrow('has no server called "other"');
    await expect(assertLocked(mine, await lockOf({ mine, twice: mine }))).rejects.toThrow(
      'has several servers called "mine"',
    );
  });
});
