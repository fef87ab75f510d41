import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processDataSource } from './data-source.ts';

const { signal } = new AbortController();

describe('data from a file that an argument names', () => {
  it('is the content of the file, byte for byte', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-data-'));
    onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
    writeFileSync(join(folder, 'x'), Uint8Array.of(0, 255, 10));
    const data = processDataSource({ inShell: false, signal });
    expect([...(await data.file(join(folder, 'x')))]).toEqual([0, 255, 10]);
    await expect(data.file(folder)).rejects.toThrow(expect.objectContaining({ kind: 'usage' }));
    await expect(data.file(folder)).rejects.toThrow(/is a folder, not a file/);
  });

  it('is reported as missing with a hint, since a text may have been meant', async () => {
    await expect(processDataSource({ inShell: false, signal }).file('ada')).rejects.toThrow(
      expect.objectContaining({ message: 'There is no file ada', hint: expect.stringContaining('key=@@ada') }),
    );
  });

  it('is not read from stdin in a shell script', () => {
    expect(() => processDataSource({ inShell: true, signal }).stdin()).toThrow(/In the shell/);
  });
});
