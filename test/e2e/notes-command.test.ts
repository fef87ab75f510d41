import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, connect, emptyFolder, run } from '../support/ccmcp.ts';

async function fillDatabase(): Promise<string> {
  const db = join(emptyFolder(), 'notes.db');
  const { client } = await connect({ args: ['notes', '--db', db, '--log-level', 'emergency'] });
  await callTool(client, 'create_note', { title: 'Milk', content: 'and bread' });
  await client.close();
  return db;
}

describe('ccmcp notes', () => {
  it('assigns notes to an owner', async () => {
    const db = await fillDatabase();
    const file = join(emptyFolder(), 'notes.jsonl');
    const give = ['notes', 'import', file, '--owner', 'key-0123456789ab', '--db', db];
    expect(await run(['notes', 'export', file, '--db', db])).toMatchObject({ code: 0, stdout: 'Exported 3 notes\n' });
    expect((await run(give)).stdout).toBe('Imported 3 notes; 0 were there already\n');
    expect((await run(give)).stdout).toBe('Imported 0 notes; 3 were there already\n');
    expect((await run(['notes', 'export', file, '--db', db, '--owner', 'key-0123456789ab'])).stdout).toMatch(
      /^Exported 3/,
    );
    expect((await run(['notes', 'export', file, '--db', db, '--owner', 'other'])).stdout).toMatch(/^Exported 0/);
    expect(await run(['notes', 'export', file, '--owner'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^ccmcp: --owner needs a value\n/),
    });
  });

  it('rejects a damaged file and names the recovery command, which works (FT-11)', async () => {
    const db = await fillDatabase();
    // Moves the content of the write-ahead log into the file.
    await run(['notes', 'export', `${db}.jsonl`, '--db', db]);
    const bytes = readFileSync(db);
    expect(bytes.includes('Milk')).toBe(true);
    for (let at = bytes.indexOf('Milk'); at !== -1; at = bytes.indexOf('Milk', at)) bytes[at] = 0x53;
    writeFileSync(db, bytes);
    const { client } = await connect({ args: ['notes', '--db', db, '--log-level', 'emergency'] });
    expect(await callTool(client, 'list_notes')).toMatch(
      /^failed: The file with the notes is damaged \(note_3 was altered\)/,
    );
    await client.close();
    const saved = `${db}.saved`;
    expect(await run(['notes', 'recover', saved, '--db', db])).toMatchObject({
      code: 0,
      stdout: `Recovered 3 notes of ${db} into ${saved}\nAltered, and now tagged "damaged": note_3\n`,
    });
    expect(readFileSync(db).equals(bytes)).toBe(true);
    const { client: other } = await connect({ args: ['notes', '--db', saved] });
    expect(await callTool(other, 'list_notes')).toContain('note_3: Silk #damaged');
    await other.close();
    expect(await run(['notes', 'recover', saved, '--db', db])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is there already/),
    });
    expect(await run(['notes', 'recover'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Usage: ccmcp notes recover/),
    });
  });
});
