import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';

/** A square picture in shades of grey: a byte for each pixel, row by row from the top; 0 is black. */
export interface Picture {
  readonly size: number;
  readonly pixels: Uint8Array;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Writes a picture as a PNG file. */
export function encodePng({ size, pixels }: Picture): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // The bits of a pixel. The zeros after them stand for shades of grey, and for the only methods there are.
  header.writeUInt8(8, 8);

  // Each row begins with the way it is written; 0 is "as it is".
  const rows = Buffer.alloc(size * (size + 1));
  for (let y = 0; y < size; y += 1) rows.set(pixels.subarray(y * size, (y + 1) * size), y * (size + 1) + 1);

  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(content, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
}

/** The checksum of PNG. Node's own came with 20.15 only. */
function crc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0xedb88320;
  }
  return ~crc >>> 0;
}
