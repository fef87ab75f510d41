import { Buffer } from 'node:buffer';
import type { Icon } from '@ccmcp/core';

/** A picture of 16 × 16 pixels: two colours in squares, with a border. PNG, as base64. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAACVBMVEUUHjz6yDw8eNzm3rkLAAAAIklEQVR42mNgwACMjIxMQMAIoYkSQHBANHkCZFhLDXegAQCdQAEnxy6n+wAAAABJRU5ErkJggg==';

/** The picture as an icon. */
export const icon: Icon = { src: `data:image/png;base64,${picture}`, mimeType: 'image/png', sizes: ['16x16'] };

const sampleRate = 8000;

/** A quarter of a second of 440 Hz: WAV, mono, 8 bits. */
export function tone(): Uint8Array {
  const sound = Uint8Array.from({ length: sampleRate / 4 }, (_, index) =>
    Math.round(128 + 60 * Math.sin((2 * Math.PI * 440 * index) / sampleRate)),
  );
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + sound.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // mono
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate, 28);
  header.writeUInt16LE(1, 32); // bytes of a sample
  header.writeUInt16LE(8, 34); // bits of a sample
  header.write('data', 36);
  header.writeUInt32LE(sound.length, 40);
  return Buffer.concat([header, sound]);
}
