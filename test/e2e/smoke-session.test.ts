import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  describe as describeSession,
  frame,
  readFrames,
  sent,
} from '../../experiments/31-mcp-server-smoke/session.mjs';
import { emptyFolder } from '../support/ccmcp.ts';

const folder = fileURLToPath(new URL('../../experiments/31-mcp-server-smoke/', import.meta.url));
const kept = (name: string): Buffer => readFileSync(join(folder, name));
const keptJson = (name: string): unknown => JSON.parse(kept(name).toString());

describe('the smoke session of miniagent', () => {
  it('is replayed as recorded, without an error on stderr', () => {
    const to = emptyFolder();
    execFileSync(join(folder, 'manual.sh'), [to]);
    const output = readFileSync(join(to, 'output.bin'));
    expect(output.equals(kept('output.bin'))).toBe(true);
    const log = readFileSync(join(to, 'stderr.log'), 'utf8').trim().split('\n');
    expect(log.map((line) => JSON.parse(line))).toMatchObject([{ level: 'info', data: 'EOF on stdin, shutting down' }]);
  });

  it('sends a handshake, a list and two calls, then the input ends', () => {
    expect(kept('input.bin').equals(Buffer.concat(sent.map(([, message]) => frame(message))))).toBe(true);
    expect(readFrames(kept('input.bin')).map((body) => JSON.parse(body).method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
      'tools/call',
    ]);
  });

  it('gets the form of a verb and its Spanish', () => {
    const [initialized, listed, conjugated, translated] = readFrames(kept('output.bin')).map((body) =>
      JSON.parse(body),
    );
    expect(initialized.result).toEqual({
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'miniagent-server', version: '0.1' },
    });
    expect(listed.result.tools).toHaveLength(4);
    expect(conjugated.result).toMatchObject({ content: [{ type: 'text', text: 'ate' }], isError: false });
    expect(translated.result.content[0].text).toContain('comió');
  });

  it('is summed up by its manifest and results', () => {
    const { transcript, results, sha256 } = describeSession(kept('input.bin'), kept('output.bin'));
    expect(kept('manual.txt').toString()).toBe(transcript);
    expect(transcript.match(/^# noqa: (client|server): /gm)).toHaveLength(9);
    expect(keptJson('results.json')).toEqual(results);
    expect(results).toEqual({ frames_in: 4, frames_out: 3, all_success: true });
    expect(keptJson('manifest.json')).toEqual({
      versions: { server: 'miniagent-server 0.1', protocol: '2024-11-05', node: '>=20' },
      seed: null,
      transcript_sha256: sha256,
    });
  });
});

describe('a frame', () => {
  it('can be read back, and counts bytes', () => {
    const message = { text: 'comió 🌙' };
    expect(frame(message).toString()).toBe('Content-Length: 22\r\n\r\n{"text":"comió 🌙"}');
    expect(readFrames(Buffer.concat([frame(message), frame({})])).map((body) => JSON.parse(body))).toEqual([
      message,
      {},
    ]);
  });

  it.each(['Content-Length: 5\r\n\r\n{}', '{}', 'Content-Length: x\r\n\r\n{}'])('cannot be %j', (bytes) => {
    expect(() => readFrames(Buffer.from(bytes))).toThrow(/frame/);
  });
});
