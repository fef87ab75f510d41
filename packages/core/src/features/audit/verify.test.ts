import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import { connectDirect } from '../../server/fixtures/direct-client.ts';
import { linesOf, newFile, recordsOf } from './fixtures/log.ts';
import type { AuditOptions } from './options.ts';
import { audit } from './trail.ts';
import { type AuditRecord, hashWith, encodeMembers, sealRecord } from './record.ts';
import { type AuditReport, verifyAudit } from './verify.ts';

/** Writes a log: its first line is about itself, the others are calls. */
async function written(calls: number, options: Partial<AuditOptions> = {}): Promise<string> {
  const file = newFile();
  const server = createServer({
    name: 's',
    version: '1',
    tools: [tool('add', { input: { type: 'object' } }, () => 'x')],
  });
  const trail = audit({ file, ...options });
  onTestFinished(() => trail.close());
  server.observe(trail);
  const { request } = connectDirect(server);
  for (let call = 1; call <= calls; call += 1) await request('tools/call', { name: 'add', arguments: { call } });
  return file;
}

/** The log after a manipulation. */
async function edited(edit: (lines: string[]) => string[]): Promise<AuditReport> {
  const file = await written(6);
  writeFileSync(
    file,
    edit(linesOf(file))
      .map((line) => `${line}\n`)
      .join(''),
  );
  return verifyAudit([file]);
}

function found({ problems }: AuditReport): unknown[] {
  return problems.map(({ line, what }) => [line, what]);
}

/** A line with changed content and a matching hash, as an expert could forge it. */
function forged(line: string, change: object): string {
  const { hash: _, chain, seq, time, kind, prev, ...fields } = { ...(JSON.parse(line) as AuditRecord), ...change };
  return sealRecord({ chain, seq, time, kind, prev }, encodeMembers(fields), hashWith(undefined)).line.trim();
}

describe('the verification of an audit log', () => {
  it('finds no problem in an unchanged log', async () => {
    const file = await written(6);
    const report = await verifyAudit([file]);

    expect(report).toEqual({
      lines: 7,
      calls: 6,
      chains: 1,
      head: recordsOf(file).at(-1)?.hash,
      problems: [],
      notes: [],
    });
  });

  it('finds a line that was changed', async () => {
    const change = (lines: string[]): string[] => lines.with(3, (lines[3] as string).replace('"call":3', '"call":9'));
    expect(found(await edited(change))).toEqual([[4, 'changed']]);
  });

  it('finds every single character that was changed', async () => {
    const file = await written(2);
    const lines = linesOf(file);
    const line = lines[1] as string;
    for (let at = 0; at < line.length; at += 7) {
      const other = line[at] === 'x' ? 'y' : 'x';
      writeFileSync(file, `${lines.with(1, line.slice(0, at) + other + line.slice(at + 1)).join('\n')}\n`);
      const { problems } = await verifyAudit([file]);
      expect(problems, `character ${at}`).not.toEqual([]);
    }
  });

  it('finds a line that was changed and hashed again', async () => {
    const report = await edited((lines) => lines.with(3, forged(lines[3] as string, { name: 'other' })));
    expect(found(report)).toEqual([[4, 'changed']]);
    expect(report.problems[0]?.message).toContain('sealed anew');
  });

  it('finds lines that were removed', async () => {
    const report = await edited((lines) => lines.toSpliced(2, 2));
    expect(report.problems).toMatchObject([{ line: 3, what: 'removed', message: expect.stringContaining('2 lines') }]);
  });

  it('finds that the beginning was removed', async () => {
    expect(found(await edited((lines) => lines.slice(2)))).toEqual([[1, 'removed']]);
  });

  it('finds a line that was inserted', async () => {
    const insert = (lines: string[]): string[] => lines.toSpliced(3, 0, forged(lines[3] as string, { name: 'other' }));
    expect(found(await edited(insert))).toEqual([[5, 'inserted']]);
  });

  it('finds a duplicate line', async () => {
    expect(found(await edited((lines) => lines.toSpliced(3, 0, lines[2] as string)))).toEqual([[4, 'inserted']]);
  });

  it('finds lines that were moved', async () => {
    const swap = (lines: string[]): string[] => lines.with(3, lines[4] as string).with(4, lines[3] as string);
    expect(found(await edited(swap))).toEqual([[5, 'moved']]);
  });

  it('finds lines truncated before a restart, also when a process was killed', async () => {
    const file = await written(3);
    const again = audit({ file });
    onTestFinished(() => again.close());
    const lines = linesOf(file);
    writeFileSync(file, `${lines.toSpliced(2, 2).join('\n')}\n`);

    expect(found(await verifyAudit([file]))).toEqual([[3, 'removed']]);
  });

  it('finds a truncated end by an expected hash', async () => {
    const file = await written(3);
    const { head = '' } = await verifyAudit([file]);
    writeFileSync(file, `${linesOf(file).slice(0, -1).join('\n')}\n`);

    expect((await verifyAudit([file])).problems).toEqual([]);
    expect(found(await verifyAudit([file], { expect: head }))).toEqual([[3, 'missing']]);
  });

  it('accepts the hash of any line as the expected one', async () => {
    const file = await written(3);
    expect((await verifyAudit([file], { expect: String(recordsOf(file)[1]?.hash) })).problems).toEqual([]);
  });

  it('reports a torn last line as a note', async () => {
    const file = await written(3);
    writeFileSync(file, linesOf(file).join('\n').slice(0, -20));
    const { problems, notes } = await verifyAudit([file]);

    expect([problems, notes]).toEqual([[], [expect.stringContaining('audit.jsonl:4 is no whole record')]]);
  });

  it('needs the key that the log was written with', async () => {
    const key = 'a key that is long enough';
    const file = await written(2, { key });

    expect((await verifyAudit([file], { key })).problems).toEqual([]);
    expect(found(await verifyAudit([file]))).toEqual([
      [1, 'changed'],
      [2, 'changed'],
      [3, 'changed'],
    ]);
  });

  it('detects a chain that was hashed again without the key', async () => {
    const key = 'a key that is long enough';
    const file = await written(3, { key });
    let prev = '';
    const lines = linesOf(file).map((line) => {
      const made = forged(line, { prev });
      prev = (JSON.parse(made) as { hash: string }).hash;
      return made;
    });
    writeFileSync(file, `${lines.join('\n')}\n`);

    expect((await verifyAudit([file], { key })).problems).toHaveLength(4);
  });

  it.each([
    ['a line of other text', 'a shopping list'],
    ['a line of NUL bytes', '\0'.repeat(64)],
    ['a line of 5 MB', 'x'.repeat(5_000_000)],
    ['a line of 5 MB that begins as a record does', `{"chain":"${'x'.repeat(5_000_000)}`],
    ['the beginning of a record', '{"chain":"AAAAAAAA","seq":4,"ti'],
    ['JSON of another kind', '{"level":"info"}'],
    ['an empty line', ''],
    ['a line of spaces', '  '],
  ])('finds %s between records', async (_, text) => {
    expect(found(await edited((lines) => lines.toSpliced(3, 0, text)))).toEqual([[4, 'inserted']]);
    expect(found(await edited((lines) => [text, ...lines]))).toEqual([[1, 'inserted']]);
    expect(found(await edited((lines) => [...lines, text]))).toEqual([[8, 'inserted']]);
  });

  it.each([
    ['text', 'a shopping list'],
    ['NUL bytes', '\0'.repeat(64)],
    ['more than a torn record', `{"chain":"${'x'.repeat(5_000_000)}`],
  ])('finds %s that was put before a record into its line', async (_, text) => {
    for (const line of [0, 3]) {
      const change = (lines: string[]): string[] => lines.with(line, `${text}${lines[line]}`);
      expect(found(await edited(change))).toEqual([[line + 1, 'inserted']]);
    }
  });

  it.each(['a shopping list', 'a shopping list\n'])(
    'finds %j that was put behind the last record, before and after a restart',
    async (text) => {
      const file = await written(2);
      appendFileSync(file, text);
      const before = found(await verifyAudit([file]));
      const again = audit({ file });
      onTestFinished(() => again.close());

      expect([before, found(await verifyAudit([file]))]).toEqual([[[4, 'inserted']], [[4, 'inserted']]]);
    },
  );

  it('takes no more torn lines for explained than a process says there were', async () => {
    const file = await written(2);
    const torn = linesOf(file)[1]?.slice(0, 50) ?? '';
    appendFileSync(file, torn);
    const again = audit({ file });
    onTestFinished(() => again.close());
    expect((await verifyAudit([file])).problems).toEqual([]);
    writeFileSync(file, `${linesOf(file).toSpliced(2, 0, torn).join('\n')}\n`);

    expect(found(await verifyAudit([file]))).toEqual([[3, 'inserted']]);
  });

  it('reads records whose arguments have a member "chain"', async () => {
    const file = newFile();
    const server = createServer({
      name: 's',
      version: '1',
      tools: [tool('add', { input: { type: 'object' } }, () => 'x')],
    });
    const trail = audit({ file });
    onTestFinished(() => trail.close());
    server.observe(trail);
    await connectDirect(server).request('tools/call', { name: 'add', arguments: { chain: 'x' } });
    const again = audit({ file });
    onTestFinished(() => again.close());

    expect(await verifyAudit([file])).toMatchObject({ calls: 1, problems: [], notes: [] });
    expect(recordsOf(file, 'begin')[1]).not.toHaveProperty('torn');
  });

  it('terminates for any file', async () => {
    const file = newFile();
    writeFileSync(file, Buffer.concat([Buffer.alloc(3_000_000, 0xff), Buffer.from('\n{"chain":"x"}\n\n[]\n')]));
    const report = await verifyAudit([file]);

    expect(report.lines).toBe(0);
    expect(found(report)).toEqual([1, 2, 3, 4].map((line) => [line, 'inserted']));
  });
});
