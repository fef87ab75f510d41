import { inflateSync } from 'node:zlib';

/** A picture as rows of red, green, blue and opacity. */
export interface Bitmap {
  width: number;
  height: number;
  rgba: Uint8Array;
}

interface Header {
  width: number;
  height: number;
  depth: number;
  kind: number;
  interlaced: boolean;
}

/** More can't be seen on a terminal, and would take its memory from a stranger's word. */
const mostPixels = 16_000_000;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples per pixel, by the kind of picture: grey, colours, colours of a palette, grey and colours with opacity. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** How wide and high a PNG is in pixels; undefined where the bytes are none. */
export function pngSize(data: Buffer): { width: number; height: number } | undefined {
  if (data.length < 33 || !data.subarray(0, 8).equals(signature)) return undefined;
  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** The picture in a PNG; undefined where it is damaged, or larger than anybody could look at. */
export function decodePng(data: Buffer): Bitmap | undefined {
  if (pngSize(data) === undefined) return undefined;
  try {
    return decode(data);
  } catch {
    return undefined;
  }
}

function decode(data: Buffer): Bitmap | undefined {
  const header = headerOf(data);
  if (header === undefined) return undefined;
  const parts = new Map<string, Buffer[]>();
  for (let at = 8; at + 8 <= data.length; ) {
    const length = data.readUInt32BE(at);
    const name = data.toString('latin1', at + 4, at + 8);
    parts.set(name, [...(parts.get(name) ?? []), data.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  const passes = passesOf(header);
  const bytes = passes.reduce((sum, pass) => sum + (1 + rowBytes(header, pass.width)) * pass.height, 0);
  const raw = inflateSync(Buffer.concat(parts.get('IDAT') ?? []), { maxOutputLength: bytes + 1024 });
  if (raw.length < bytes) return undefined;
  const rgba = new Uint8Array(header.width * header.height * 4);
  const paint = pixelReader(header, parts.get('PLTE')?.[0], parts.get('tRNS')?.[0]);
  let at = 0;
  for (const pass of passes) {
    const row = rowBytes(header, pass.width);
    unfilter(raw.subarray(at, at + (1 + row) * pass.height), row, header);
    for (let y = 0; y < pass.height; y += 1) {
      const line = raw.subarray(at + 1, at + 1 + row);
      at += 1 + row;
      for (let x = 0; x < pass.width; x += 1) {
        const to = ((pass.y + y * pass.dy) * header.width + pass.x + x * pass.dx) * 4;
        paint(line, x, rgba.subarray(to, to + 4));
      }
    }
  }
  return { width: header.width, height: header.height, rgba };
}

function headerOf(data: Buffer): Header | undefined {
  const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)];
  const [depth = 0, kind = -1, , , interlace = 0] = data.subarray(24, 29);
  const isKnown = depths[kind]?.includes(depth) === true && interlace <= 1;
  if (!isKnown || width === 0 || height === 0 || width * height > mostPixels) return undefined;
  return { width, height, depth, kind, interlaced: interlace === 1 };
}

interface Pass {
  x: number;
  y: number;
  dx: number;
  dy: number;
  width: number;
  height: number;
}

/** The seven pictures that an interlaced one is sent as, each finer than the one before; otherwise one. */
function passesOf({ width, height, interlaced }: Header): Pass[] {
  const steps = interlaced
    ? [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ]
    : [[0, 0, 1, 1]];
  return steps
    .map(([x = 0, y = 0, dx = 1, dy = 1]) => {
      return { x, y, dx, dy, width: Math.ceil((width - x) / dx), height: Math.ceil((height - y) / dy) };
    })
    .filter((pass) => pass.width > 0 && pass.height > 0);
}

function rowBytes({ depth, kind }: Header, width: number): number {
  return Math.ceil((width * depth * (channels[kind] ?? 1)) / 8);
}

/** Undoes what makes rows smaller: each byte was written as the difference to its neighbours. */
function unfilter(rows: Buffer, row: number, { depth, kind }: Header): void {
  const step = Math.max(1, (depth * (channels[kind] ?? 1)) / 8);
  const at = (index: number): number => rows[index] ?? 0;
  for (let start = 0; start < rows.length; start += 1 + row) {
    const filter = at(start);
    for (let index = 1; index <= row; index += 1) {
      const here = start + index;
      const left = index > step ? at(here - step) : 0;
      const above = start > 0 ? at(here - row - 1) : 0;
      const corner = index > step && start > 0 ? at(here - row - 1 - step) : 0;
      rows[here] = at(here) + predicted(filter, left, above, corner);
    }
  }
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, corner);
    default:
      return 0;
  }
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

type Paint = (line: Buffer, x: number, pixel: Uint8Array) => void;

/** How one pixel of a row becomes red, green, blue and opacity. */
function pixelReader({ depth, kind }: Header, palette: Buffer | undefined, opacity: Buffer | undefined): Paint {
  const count = channels[kind] ?? 1;
  const most = 2 ** depth - 1;
  const sample = (line: Buffer, index: number): number => {
    if (depth === 16) return line[index * 2] ?? 0;
    if (depth === 8) return line[index] ?? 0;
    const bit = index * depth;
    return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & most;
  };
  if (kind === 3) {
    return (line, x, pixel) => {
      const colour = sample(line, x);
      pixel.set(palette?.subarray(colour * 3, colour * 3 + 3) ?? [0, 0, 0]);
      pixel[3] = opacity?.[colour] ?? 255;
    };
  }
  const scale = depth < 8 ? 255 / most : 1;
  const isGrey = count < 3;
  return (line, x, pixel) => {
    const first = x * count;
    const red = sample(line, first) * scale;
    pixel[0] = red;
    pixel[1] = isGrey ? red : sample(line, first + 1);
    pixel[2] = isGrey ? red : sample(line, first + 2);
    pixel[3] = count % 2 === 0 ? sample(line, first + count - 1) : 255;
  };
}
