import { describe, expect, it } from 'vitest';
import { open, storeKinds } from './fixtures/stores.ts';
import { parseQuery } from './search.ts';
import type { NoteRepository } from './repository.ts';

describe.each(storeKinds)('notes in $name', ({ fresh }) => {
  const make = async (): Promise<NoteRepository> => open(await fresh());

  async function titles(notes: NoteRepository, query: string): Promise<string[]> {
    return (await notes.search(parseQuery(query), { limit: 50, offset: 0 })).map(({ title }) => title);
  }

  it('hold a megabyte (FT-34)', async () => {
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
});
