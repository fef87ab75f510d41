import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readRecording } from './read-recording.ts';
import { recordingWriter } from './recording-writer.ts';

const MiB = 1024 * 1024;

describe('a recording of 500 MB', () => {
  it('is indexed in bounded memory; a line of 65 MiB is skipped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-large-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = createWriteStream(join(folder, 'large.jsonl'));
    const connection = recordingWriter({ write: (line) => void file.write(line), version: '1' }).connect({
      kind: 'own',
      label: 'large',
    });
    const text = 'x'.repeat(MiB);
    for (let id = 1; id <= 450; id += 1) {
      connection.frame(
        'client',
        JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'a', id } }),
      );
      connection.frame('server', JSON.stringify({ jsonrpc: '2.0', id, result: { text } }));
      if (file.writableNeedDrain) await once(file, 'drain');
    }
    for (let count = 0; count < 65; count += 1) if (!file.write(text)) await once(file, 'drain');
    file.end('\n');
    await once(file, 'close');
    const before = process.memoryUsage().rss;
    const recording = await readRecording(join(folder, 'large.jsonl'));
    onTestFinished(() => recording.close());
    expect(process.memoryUsage().rss - before).toBeLessThan(350 * MiB);
    expect(recording.problems).toEqual([expect.stringMatching(/^Line \d+ is too long, and was skipped$/)]);
    const [only] = recording.connections;
    expect(only?.requests).toHaveLength(450);
    const [step] = only?.requests.at(-1)?.steps ?? [];
    expect(step?.is === 'message' && recording.message(step.position)).toEqual({
      jsonrpc: '2.0',
      id: 450,
      result: { text },
    });
  });
});
