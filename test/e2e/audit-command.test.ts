import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAudit } from '@ccmcp/core/audit';
import { describe, expect, it } from 'vitest';
import { callTool, connect, emptyFolder, run, runProcess } from '../support/ccmcp.ts';

interface Written {
  file: string;
  lines: string[];
}

/** Writes an audit log by running `ccmcp`. */
async function write(args: string[] = [], env: NodeJS.ProcessEnv = process.env): Promise<Written> {
  const file = join(emptyFolder(), 'audit.jsonl');
  const { client, wire } = await connect({ args: [...args, '--audit', file], env });
  await callTool(client, 'add', { a: 1, b: 2 });
  await callTool(client, 'echo', { text: 'Bearer abcdefghijklmnop', token: 'hunter2' });
  await wire.close();
  await wire.exited;
  return { file, lines: readFileSync(file, 'utf8').trimEnd().split('\n') };
}

let text: Promise<string> | undefined;

/** A copy of such a log. */
async function writeLog(): Promise<Written> {
  text ??= write().then(({ lines }) => `${lines.join('\n')}\n`);
  const file = join(emptyFolder(), 'audit.jsonl');
  writeFileSync(file, await text);
  return { file, lines: (await text).trimEnd().split('\n') };
}

describe('ccmcp --audit', () => {
  it('writes a line for each request, and one at exit (OB-01, OB-02)', async () => {
    const { file, lines } = await writeLog();
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);

    expect(records.map(({ kind, method, name }) => [kind, method, name])).toEqual([
      ['begin', undefined, undefined],
      ['call', 'initialize', undefined],
      ['call', 'tools/call', 'add'],
      ['call', 'tools/call', 'echo'],
      ['end', undefined, undefined],
    ]);
    expect(records[2]).toMatchObject({ arguments: { a: 1, b: 2 }, outcome: 'ok', transport: 'stdio' });
    expect(lines.join('')).not.toMatch(/hunter2|abcdefghijklmnop/);
    expect((await verifyAudit([file])).problems).toEqual([]);
  });

  it('works with a served file', async () => {
    const folder = emptyFolder();
    const file = join(folder, 'audit.jsonl');
    const { client, wire } = await connect({ args: ['serve', 'examples/greet/server.js', '--audit', file] });
    await callTool(client, 'greet', { name: 'Ada' });
    await wire.close();
    await wire.exited;

    expect(readFileSync(file, 'utf8')).toContain('"arguments":{"name":"Ada"}');
  });

  it.each([
    [['--audit', '/no/such/folder/a.jsonl'], 1, "the audit log /no/such/folder/a.jsonl can't be opened"],
    [['--audit', '/dev/null'], 1, "the audit log /dev/null can't be opened: it is no regular file"],
    [['--audit-strict'], 2, '--audit-strict needs --audit FILE'],
    [['--audit', 'x.jsonl', '--audit-key-env', 'NO_SUCH_VARIABLE'], 1, 'NO_SUCH_VARIABLE holds no key'],
  ])('reports %j', async (args, code, message) => {
    const ended = await (code === 2 ? run(args) : runProcess(args));

    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
  });
});

describe('ccmcp audit verify', () => {
  it('reports an intact log, and the hash to keep', async () => {
    const { file } = await writeLog();
    const { code, stdout } = await run(['audit', 'verify', file]);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^audit\.jsonl: 5 lines, 3 of calls, by 1 process\nAs they were written\. .* hash [\w-]{43}\n$/,
    );
  });

  it('fails at an inserted line', async () => {
    const { file, lines } = await writeLog();
    writeFileSync(file, `${lines.toSpliced(2, 0, '\0\0 a shopping list').join('\n')}\n`);
    const { code, stdout } = await run(['audit', 'verify', file]);

    expect(code).toBe(1);
    expect(stdout).toContain('audit.jsonl:3: inserted: it is no record');
  });

  it('names tampered lines, and fails', async () => {
    const { file, lines } = await writeLog();
    writeFileSync(file, `${lines.with(2, (lines[2] as string).replace('"a":1', '"a":9')).join('\n')}\n`);
    const { code, stdout } = await run(['audit', 'verify', file]);

    expect(code).toBe(1);
    expect(stdout).toContain('audit.jsonl:3: changed: ');
    expect(stdout).toContain('Not as they were written: 1 problem\n');
  });

  it('detects a truncated log by the noted hash', async () => {
    const { file, lines } = await writeLog();
    const { hash } = JSON.parse(lines.at(-1) as string) as { hash: string };
    writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);

    expect((await run(['audit', 'verify', file])).code).toBe(0);
    expect((await run(['audit', 'verify', file, '--expect', hash])).code).toBe(1);
  });

  it('reads the key of a log from the environment', async () => {
    const env = { ...process.env, AUDIT_KEY: 'a key that is long enough' };
    const { file } = await write(['--audit-key-env', 'AUDIT_KEY'], env);

    expect((await run(['audit', 'verify', file])).code).toBe(1);
    expect((await run(['audit', 'verify', file, '--key-env', 'AUDIT_KEY'], { env })).code).toBe(0);
  });

  it.each([
    [['audit'], 2, 'audit needs verify or show'],
    [['audit', 'verify'], 2, 'name the file of an audit log'],
    [['audit', 'verify', 'x', '--loud'], 2, '--loud'],
    [['audit', 'verify', '/no/such/file'], 2, 'there is no file or folder /no/such'],
  ])('reports %j', async (args, code, message) => {
    const ended = await run(args);

    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
  });
});

describe('ccmcp audit show', () => {
  it('shows calls, or those of one tool', async () => {
    const { file } = await writeLog();
    const { stdout } = await run(['audit', 'show', file, '--tool', 'add']);

    expect(stdout).toMatch(/^\S+Z {2}- {2}tools\/call add {2}ok {2}[\d.]+ ms {2}\{"a":1,"b":2\}\n$/);
    expect((await run(['audit', 'show', file])).stdout.trimEnd().split('\n')).toHaveLength(3);
  });
});
