import { brightnessAt } from './surface.ts';
import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';

/** The appearance of the moon. */
export interface Appearance {
  /** The lit part of the disc, from 0 to 1. */
  readonly illuminated: number;
  /** A waxing moon is lit on the right, as in the northern hemisphere. */
  readonly waxing: boolean;
}

const size = 256;
const radius = 118;
/** Scan lines per row of pixels; horizontal coverage is exact. */
const linesPerRow = 4;

const sky = 8;
const highlands = 245;
/** The brightness of the dark side, relative to the lit one. */
const earthshine = 0.13;
/** Shades are rounded to multiples, which is invisible and makes the file a third smaller. */
const shadeStep = 4;

/** Draws the moon as a PNG file: north is up, and the dark side is just visible. */
export function moonPicture(appearance: Appearance): Uint8Array {
  return encodePng(drawMoon(appearance));
}

/** Draws the moon as pixels. */
export function drawMoon({ illuminated, waxing }: Appearance): Picture {
  // The terminator is half an ellipse: it divides every line in the same ratio as the disc.
  const edge = 1 - 2 * illuminated;
  const lit = coverage((half) => (waxing ? [edge * half, half] : [-half, -edge * half]));
  const pixels = fullMoon().map(({ covered, brightness }, at) => {
    const inSun = lit[at] ?? 0;
    const light = inSun + earthshine * (covered - inSun);
    const shade = sky * (1 - covered) + brightness * light;
    return Math.round(shade / shadeStep) * shadeStep;
  });
  return { size, pixels: Uint8Array.from(pixels) };
}

interface Pixel {
  /** How much of the pixel the disc covers, from 0 to 1. */
  readonly covered: number;
  /** Its brightness in sunlight. */
  readonly brightness: number;
}

let cached: Pixel[] | undefined;

/** The full moon, computed once. */
function fullMoon(): readonly Pixel[] {
  if (cached !== undefined) return cached;
  cached = Array.from(
    coverage((half) => [-half, half]),
    (covered, at) => {
      const x = (at % size) + 0.5 - size / 2;
      const y = size / 2 - Math.floor(at / size) - 0.5;
      return { covered, brightness: covered === 0 ? 0 : highlands * brightnessAt(x / radius, y / radius) };
    },
  );
  return cached;
}

/** The coverage of each pixel by a shape, from 0 to 1; `span` returns its ends on a line, given half the width of the disc. */
function coverage(span: (half: number) => readonly [left: number, right: number]): Float32Array {
  const covered = new Float32Array(size * size);
  const centre = size / 2;
  for (let line = (centre - radius) * linesPerRow; line < (centre + radius) * linesPerRow; line += 1) {
    const y = (line + 0.5) / linesPerRow - centre;
    const [left, right] = span(Math.sqrt(radius * radius - y * y)).map((x) => x + centre) as [number, number];
    const row = Math.floor(line / linesPerRow) * size;
    for (let x = Math.floor(left); x < right; x += 1) {
      const width = Math.min(right, x + 1) - Math.max(left, x);
      covered[row + x] = (covered[row + x] ?? 0) + width / linesPerRow;
    }
  }
  return covered;
}

/** A square greyscale picture: one byte per pixel, row by row from the top. */
interface Picture {
  readonly size: number;
  readonly pixels: Uint8Array;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Encodes a picture as PNG. */
function encodePng({ size, pixels }: Picture): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // The bit depth. The zeros after it mean greyscale and the default methods.
  header.writeUInt8(8, 8);

  // Each row begins with its filter type; 0 is none.
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
