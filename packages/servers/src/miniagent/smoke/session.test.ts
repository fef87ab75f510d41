import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { launcher } from '../../../../../test/support/ccmcp.ts';
import { frame, messages, readFrames } from './frames.mjs';
import { runSession } from './session.mjs';

const kept = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

describe('the smoke session', () => {
  it('goes as it is kept, and as its summary says', async () => {
    const { transcript, summary, answers, stderr } = await runSession(launcher, ['miniagent']);
    expect(transcript).toBe(kept('transcript.txt'));
    expect(summary).toEqual(JSON.parse(kept('summary.json')));
    expect(summary).toMatchObject({ frames_in: 5, frames_out: 4, all_success: true, exit_code: 0 });
    const [initialized, listed, conjugated, translated] = answers.map((answer) => JSON.parse(answer));
    expect(initialized.result).toMatchObject({
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'miniagent-server', version: '0.1' },
    });
    expect(listed.result.tools).toHaveLength(4);
    expect(conjugated.result).toMatchObject({ content: [{ type: 'text', text: 'ate' }], isError: false });
    expect(translated.result.content[0].text).toContain('comió');
    expect(stderr).not.toContain('"error"');
  });
});

describe('a frame', () => {
  it('can be read back, and counts bytes', () => {
    const message = { text: 'comió 🌙' };
    expect(frame(message).toString()).toBe('Content-Length: 24\r\n\r\n{"text":"comió 🌙"}'.replace('24', '22'));
    expect(readFrames(Buffer.concat([frame(message), ...messages.map(frame)])).map((body) => JSON.parse(body))).toEqual(
      [message, ...messages],
    );
  });

  it.each(['Content-Length: 5\r\n\r\n{}', '{}', 'Content-Length: x\r\n\r\n{}'])('cannot be %j', (bytes) => {
    expect(() => readFrames(Buffer.from(bytes))).toThrow(/frame/);
  });
});
