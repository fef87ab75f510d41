import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linesOf, newFile, recordsOf } from './fixtures/log.ts';
import { audit } from './trail.ts';
import { verifyAudit } from './verify.ts';

const source = fileURLToPath(new URL('./fixtures/writer.ts', import.meta.url));

/** The program as a file that Node can run. */
async function program(file: string): Promise<string> {
  const outfile = `${file}.mjs`;
  await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
}

describe('an audit log', () => {
  it('contains every answered call after its process was killed', async () => {
    const file = newFile();
    const child = spawn(process.execPath, [await program(file), file, '1000000', '40'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let answered = 0;
    for await (const line of createInterface(child.stdout)) {
      answered = Number(line);
      if (answered === 500) child.kill('SIGKILL');
    }
    await ended;
    const { problems, calls } = await verifyAudit([file]);

    expect(problems).toEqual([]);
    // The log may have one more than was answered: the process was killed in between.
    expect(calls - answered).toBeGreaterThanOrEqual(0);
    expect(calls - answered).toBeLessThanOrEqual(1);
    expect(answered).toBeGreaterThanOrEqual(500);
  });

  it('continues after a torn line, and records its length', async () => {
    const file = newFile();
    const first = audit({ file });
    first.close();
    appendFileSync(file, linesOf(file)[0]?.slice(0, 50) ?? '');
    const again = audit({ file });
    onTestFinished(() => again.close());
    const { problems, notes } = await verifyAudit([file]);

    expect(JSON.parse(linesOf(file).at(-1) ?? '')).toMatchObject({ kind: 'begin', torn: 50 });
    expect(problems).toEqual([]);
    expect(notes).toEqual([
      expect.stringContaining(':3 is no whole record'),
      expect.stringContaining('50 bytes are left'),
    ]);
  });

  it('does not treat a line as torn that another process is writing', async () => {
    const file = newFile();
    audit({ file }).close();
    const [line = ''] = linesOf(file);
    appendFileSync(file, line.slice(0, 50));
    const begins = new Int32Array(new SharedArrayBuffer(4));
    const rest = `const { workerData: { begins, file, rest } } = require('node:worker_threads');
      Atomics.wait(begins, 0, 0);
      require('node:fs').appendFileSync(file, rest);`;
    const other = new Worker(rest, { eval: true, workerData: { begins, file, rest: `${line.slice(50)}\n` } });
    const done = once(other, 'exit');
    await once(other, 'online');
    Atomics.store(begins, 0, 1);
    Atomics.notify(begins, 0);
    audit({ file }).close();
    await done;

    expect(recordsOf(file, 'begin').at(-1)).not.toHaveProperty('torn');
  });

  it('does not start in a file of another format', () => {
    const file = newFile();
    writeFileSync(file, 'a shopping list\n');

    expect(() => audit({ file })).toThrow('is no audit log, or its end is damaged');
    expect(readFileSync(file, 'utf8')).toBe('a shopping list\n');
  });

  it('can be shared by several processes, whose lines never mix', async () => {
    const file = newFile();
    const run = promisify(execFile);
    const written = await program(file);
    await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, [written, file, '200', '60'])));
    const report = await verifyAudit([file]);

    expect(report).toMatchObject({ calls: 800, chains: 4, problems: [], notes: [] });
    expect(recordsOf(file, 'end')).toHaveLength(4);
  });

  it.skipIf(process.platform === 'win32')('recovers after a write that did not fit on the disk', async () => {
    const file = newFile();
    const written = await program(file);
    // A file may not grow beyond 32 blocks of 1 KiB or 512 bytes in this shell: the same as a full disk, but for its name.
    const limited = `ulimit -f 32; exec "$0" "$@"`;
    const { stdout, stderr } = await promisify(execFile)('sh', [
      '-c',
      limited,
      process.execPath,
      written,
      file,
      '100',
      '30',
    ]);
    const again = audit({ file });
    onTestFinished(() => again.close());
    const { problems, calls } = await verifyAudit([file]);

    expect(stdout.trim().split('\n')).toHaveLength(100);
    expect(stderr.match(/The audit log can't be written: EFBIG/g)).toHaveLength(1);
    expect(calls).toBeLessThan(100);
    expect(problems).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('does not start if the file can not be written', async () => {
    const file = newFile();
    const started = promisify(execFile)('sh', [
      '-c',
      `ulimit -f 0; exec "$0" "$@"`,
      process.execPath,
      await program(file),
      file,
    ]);

    await expect(started).rejects.toMatchObject({ stderr: expect.stringContaining("can't be written: EFBIG") });
  });

  it.skipIf(process.platform === 'win32')(
    'recovers with the first call after space was freed, and records what is missing',
    async () => {
      const file = newFile();
      const limited = `ulimit -f 8; exec "$0" "$@"`;
      const args = ['-c', limited, process.execPath, await program(file), file, '6', '30', 'reject'];
      const { stdout, stderr } = await promisify(execFile)('sh', args);
      const { problems, notes } = await verifyAudit([`${file}.1`, file]);

      expect(stdout.match(/\d+ rejected/g)).toHaveLength(1);
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringContaining("The audit log can't be written: EFBIG"),
        'The audit log can be written again; 2 lines are lost',
      ]);
      expect(problems).toEqual([]);
      expect(notes).toContainEqual(expect.stringContaining('2 lines before it could not be written'));
    },
  );
});
