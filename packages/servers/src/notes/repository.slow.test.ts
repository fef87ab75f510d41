import { describe, expect, it } from 'vitest';
import { open, storeKinds } from './fixtures/stores.ts';
import { maxScannedBytes, parseQuery } from './search.ts';
import type { NoteRepository } from './repository.ts';

describe.each(storeKinds)('notes in $name', ({ fresh }) => {
  const make = async (): Promise<NoteRepository> => open(await fresh());

  async function titles(notes: NoteRepository, query: string): Promise<string[]> {
    return (await notes.search(parseQuery(query), { limit: 50, offset: 0 })).map(({ title }) => title);
  }

  it('store a megabyte (FT-34)', async () => {
    const notes = await make();
    const words = Array.from({ length: 120_000 }, (_, index) => `w${index.toString(36)}`).join(' ');
    const { id } = await notes.create({
      title: 'long',
      content: words.padEnd(1_000_000, '漢').slice(0, 999_000),
      tags: [],
    });
    expect((await notes.get(id)).content).toHaveLength(999_000);
    expect(await titles(notes, 'w2kl w7')).toEqual(['long']);
  });

  it('are scanned for substrings up to a limit, the newest first', async () => {
    const notes = await make();
    const content = 'x'.repeat(990_000);
    const count = Math.ceil(maxScannedBytes / content.length) + 1;
    await notes.create({ title: 'subway of long ago', content, tags: [] });
    for (let index = 0; index < count; index += 1) await notes.create({ title: `t${index}`, content, tags: [] });
    await notes.create({ title: 'subway of today', content, tags: [] });
    expect(await titles(notes, 'ubway')).toEqual(['subway of today']);
    expect(await titles(notes, 'subway')).toHaveLength(2);
  });
});
