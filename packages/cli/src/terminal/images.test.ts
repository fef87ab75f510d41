import { describe, expect, it } from 'vitest';
import { detectImageProtocol, encodeImage } from './images.ts';

/** A PNG with a valid header only. */
function png(width: number): Buffer {
  const data = Buffer.alloc(60);
  data.write('\u0089PNG\r\n\u001A\n', 'latin1');
  data.write('IHDR', 12, 'latin1');
  data.writeUInt32BE(width, 16);
  return data;
}

describe('an image for a terminal', () => {
  it('in the kitty protocol is sent in chunks of the PNG', () => {
    const large = Buffer.concat([png(2), Buffer.alloc(10_000)]);
    const text = encodeImage(large, { protocol: 'kitty', columns: 80 }) ?? '';
    const chunks = text.split('\u001B\\').slice(0, -1);
    expect(chunks[0]).toMatch(/^\p{Cc}_Ga=T,f=100,q=2,m=1;/u);
    expect(chunks.at(-1)).toMatch(/^\p{Cc}_Gq=2,m=0;/u);
    for (const chunk of chunks) expect(chunk).toMatch(/^\p{Cc}_G[a-zA-Z0-9=,]+;[A-Za-z0-9+/=]{1,4096}$/u);
    expect(Buffer.from(chunks.map((chunk) => chunk.split(';')[1]).join(''), 'base64')).toEqual(large);
  });

  it('in the kitty protocol is not wider than the terminal', () => {
    expect(encodeImage(png(5000), { protocol: 'kitty', columns: 80 })).toContain('c=80');
  });

  it('may be a PNG, JPEG, GIF or WebP for iTerm2, and only a PNG for kitty', () => {
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]);
    for (const data of [png(2), jpeg, Buffer.from('GIF89a'), Buffer.from('RIFF1234WEBPVP8 ')]) {
      expect(encodeImage(data, { protocol: 'iterm2', columns: 80 })).toBe(
        `\u001B]1337;File=inline=1;preserveAspectRatio=1;size=${data.length}:${data.toString('base64')}\u0007`,
      );
    }
    expect(encodeImage(jpeg, { protocol: 'kitty', columns: 80 })).toBeUndefined();
  });

  it.each(['kitty', 'iterm2'] as const)('is not sent if the bytes are not an image: %s', (protocol) => {
    for (const data of [
      Buffer.from('\u001B[2J not an image, whatever its type says'),
      Buffer.alloc(0),
      png(2).subarray(0, 20),
    ])
      expect(encodeImage(data, { protocol, columns: 80 })).toBeUndefined();
  });

  it.each(['kitty', 'iterm2'] as const)('is not sent if it is larger than 16 MiB: %s', (protocol) => {
    const data = Buffer.concat([png(2), Buffer.alloc(16 * 1024 * 1024)]);
    expect(encodeImage(data, { protocol, columns: 80 })).toBeUndefined();
  });
});

describe('a terminal', () => {
  it.each([
    [{ KITTY_WINDOW_ID: '1' }, 'kitty'],
    [{ TERM: 'xterm-kitty' }, 'kitty'],
    [{ TERM: 'xterm-ghostty' }, 'kitty'],
    [{ KONSOLE_VERSION: '230804' }, 'kitty'],
    [{ KONSOLE_VERSION: '210400' }, undefined],
    [{ TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
    [{ TERM_PROGRAM: 'WezTerm' }, 'iterm2'],
    [{ LC_TERMINAL: 'iTerm2' }, 'iterm2'],
    [{ TERM: 'foot' }, undefined],
    [{ TERM: 'xterm-256color' }, undefined],
    [{ KITTY_WINDOW_ID: '1', TMUX: '/tmp/x' }, undefined],
    [{ TERM_PROGRAM: 'iTerm.app', TERM: 'screen-256color' }, undefined],
    [{}, undefined],
  ])('with the environment %j shows images by %s', (env, protocol) => {
    expect(detectImageProtocol(env)).toBe(protocol);
  });
});
