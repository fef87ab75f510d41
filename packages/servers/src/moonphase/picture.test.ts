import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { moonAt } from './moon.ts';
import { type Appearance, drawMoon, moonPicture } from './picture.ts';

const size = 256;
const centre = size / 2;
/** A threshold between the darkest plain in sunlight and the brightest highlands in shadow. */
const lit = 84;

interface Pixel {
  x: number;
  y: number;
  shade: number;
}

function pixelsOf(appearance: Appearance): Pixel[] {
  return Array.from(drawMoon(appearance).pixels, (shade, at) => ({ x: at % size, y: Math.floor(at / size), shade }));
}

function litPixels(appearance: Appearance): Pixel[] {
  return pixelsOf(appearance).filter(({ shade }) => shade > lit);
}

function centreOf(pixels: readonly Pixel[]): number {
  return pixels.reduce((sum, { x }) => sum + x + 0.5, 0) / pixels.length;
}

const discPixels = litPixels({ illuminated: 1, waxing: true }).length;

/** The chunks of a PNG file by type, each with its checksum verified by a second implementation. */
function chunksOf(file: Uint8Array): Map<string, Buffer> {
  const png = Buffer.from(file);
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const content = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(checksum(content));
    chunks.set(content.toString('latin1', 0, 4), content.subarray(4));
    at += length + 12;
  }
  return chunks;
}

/** CRC by polynomial division, bit by bit, as the standard defines it. */
function checksum(data: Uint8Array): number {
  const bits = [...data].flatMap((byte) => Array.from({ length: 8 }, (_, bit) => BigInt((byte >> bit) & 1)));
  let remainder = 0xffffffffn;
  for (const bit of bits) {
    const carry = (remainder >> 31n) ^ bit;
    remainder = (remainder << 1n) & 0xffffffffn;
    if (carry === 1n) remainder ^= 0x04c11db7n;
  }
  const reversed = (remainder ^ 0xffffffffn).toString(2).padStart(32, '0').split('').reverse().join('');
  return Number.parseInt(reversed, 2);
}

describe('the picture', () => {
  it('has a round moon in its middle, as large as it can be with some sky around', () => {
    const disc = litPixels({ illuminated: 1, waxing: true });
    expect(Math.abs(disc.length / (Math.PI * 118 ** 2) - 1)).toBeLessThan(0.005);
    expect(disc.filter(({ x, y }) => Math.hypot(x + 0.5 - centre, y + 0.5 - centre) > 119)).toEqual([]);
    expect(centreOf(disc)).toBeCloseTo(centre, 5);
  });

  it.each([true, false])('shows the illuminated part of the moon; waxing: %s', (waxing) => {
    for (let percent = 0; percent <= 100; percent += 5) {
      const part = litPixels({ illuminated: percent / 100, waxing }).length / discPixels;
      expect(Math.abs(part - percent / 100), `${percent} %`).toBeLessThan(0.01);
    }
  });

  it('shows the illuminated part of the moon on any day', () => {
    for (let days = 0; days < 30; days += 1) {
      const moon = moonAt(new Date(Date.UTC(2024, 0, 1 + days)));
      expect(Math.abs(litPixels(moon).length / discPixels - moon.illuminated), `day ${days}`).toBeLessThan(0.01);
    }
  });

  it.each([0.02, 0.2, 0.5, 0.8, 0.98])(
    'of %d is lit on the right while waxing, on the left while waning',
    (illuminated) => {
      const waxing = centreOf(litPixels({ illuminated, waxing: true }));
      const waning = centreOf(litPixels({ illuminated, waxing: false }));
      expect(waxing).toBeGreaterThan(centre);
      expect(waning).toBeLessThan(centre);
      expect(waxing - centre).toBeCloseTo(centre - waning, 0);
    },
  );

  it('lights a crescent along the limb, and leaves a dark one opposite of a gibbous moon', () => {
    const middle = (appearance: Appearance) => litPixels(appearance).filter(({ y }) => y === centre);
    const crescent = middle({ illuminated: 0.1, waxing: true }).map(({ x }) => x);
    expect(Math.min(...crescent)).toBeCloseTo(centre + 118 * 0.8, -1);
    expect(Math.max(...crescent)).toBe(centre + 117);
    const gibbous = middle({ illuminated: 0.9, waxing: true }).map(({ x }) => x);
    expect(Math.min(...gibbous)).toBeCloseTo(centre - 118 * 0.8, -1);
    expect(gibbous).toHaveLength(Math.max(...gibbous) - Math.min(...gibbous) + 1);
  });

  it('shows the dark side faintly against the sky', () => {
    const pixels = pixelsOf({ illuminated: 0, waxing: true });
    const sky = pixels.filter(({ x, y }) => Math.hypot(x - centre, y - centre) > 125);
    const moon = pixels.filter(({ x, y }) => Math.hypot(x - centre, y - centre) < 115);
    expect(new Set(sky.map(({ shade }) => shade))).toEqual(new Set([8]));
    expect(moon.every(({ shade }) => shade > 8 && shade < 40)).toBe(true);
  });

  it('has soft edges', () => {
    const between = pixelsOf({ illuminated: 0.3, waxing: true }).filter(({ shade }) => shade > 40 && shade < 130);
    expect(between.length).toBeGreaterThan(200);
  });

  it('has north up: the dark plains are in the upper half, Crisium near the right limb', () => {
    const dark = litPixels({ illuminated: 1, waxing: true }).filter(({ shade }) => shade < 200);
    const upper = dark.filter(({ y }) => y < centre);
    expect(upper.length).toBeGreaterThan(dark.length * 0.65);
    const { pixels } = drawMoon({ illuminated: 1, waxing: true });
    const shadeAt = (x: number, y: number) =>
      pixels[Math.round(centre - y * 118) * size + Math.round(centre + x * 118)];
    expect(shadeAt(0.82, 0.29)).toBeLessThan(150);
    expect(shadeAt(-0.82, -0.29)).toBeGreaterThan(230);
  });
});

describe('the file', () => {
  it('is a PNG of the drawn image', () => {
    for (const appearance of [
      { illuminated: 0.37, waxing: false },
      { illuminated: 1, waxing: true },
    ]) {
      const chunks = chunksOf(moonPicture(appearance));
      expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
      expect(chunks.get('IHDR')?.toString('hex')).toBe('00000100000001000800000000');
      const rows = inflateSync(chunks.get('IDAT') ?? '');
      expect(rows).toHaveLength(size * (size + 1));
      const { pixels } = drawMoon(appearance);
      for (let y = 0; y < size; y += 1) {
        const row = rows.subarray(y * (size + 1), (y + 1) * (size + 1));
        expect(row[0]).toBe(0);
        expect(row.subarray(1).equals(pixels.subarray(y * size, (y + 1) * size))).toBe(true);
      }
    }
  });

  it('is small', () => {
    for (const illuminated of [0, 0.25, 0.5, 0.75, 1]) {
      expect(moonPicture({ illuminated, waxing: true }).length).toBeLessThan(8 * 1024);
    }
  });
});
