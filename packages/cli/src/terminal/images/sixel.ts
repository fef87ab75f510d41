import type { Bitmap } from './png.ts';

/** Steps of red, green and blue: what fits into the 256 colours of a terminal, the eye's best colour finest. */
const steps = [6, 7, 6] as const;
/** As few colours as all terminals have. */
const colours = steps[0] * steps[1] * steps[2];

/** A picture in the way of the VT340: strips of six rows, written colour by colour. What is see-through stays so. */
export function encodeSixel(picture: Bitmap): string {
  const { width, height } = picture;
  const indices = dither(picture);
  const strips: string[] = [];
  for (let top = 0; top < height; top += 6)
    strips.push(strip(indices, { width, top, bottom: Math.min(top + 6, height) }));
  const used = new Set(indices);
  const palette = Array.from({ length: colours }, (_, index) => (used.has(index) ? definition(index) : '')).join('');
  return `\u001BP0;1;0q"1;1;${width};${height}${palette}${strips.join('-')}\u001B\\`;
}

/** The picture in at most so many pixels across, as the mean of those that fall together. */
export function downscale(picture: Bitmap, most: number): Bitmap {
  const { width, height, rgba } = picture;
  if (width <= most) return picture;
  const [toWidth, toHeight] = [most, Math.max(1, Math.round((height * most) / width))];
  const result = new Uint8Array(toWidth * toHeight * 4);
  for (let y = 0; y < toHeight; y += 1) {
    const rows = range(y, toHeight, height);
    for (let x = 0; x < toWidth; x += 1) {
      result.set(mean(rgba, width, rows, range(x, toWidth, width)), (y * toWidth + x) * 4);
    }
  }
  return { width: toWidth, height: toHeight, rgba: result };
}

function range(index: number, parts: number, whole: number): [number, number] {
  const from = Math.floor((index * whole) / parts);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * whole) / parts))];
}

function mean(rgba: Uint8Array, width: number, rows: [number, number], columns: [number, number]): number[] {
  const sums = [0, 0, 0, 0];
  for (let y = rows[0]; y < rows[1]; y += 1) {
    for (let x = columns[0]; x < columns[1]; x += 1) {
      for (let part = 0; part < 4; part += 1) sums[part] = (sums[part] ?? 0) + (rgba[(y * width + x) * 4 + part] ?? 0);
    }
  }
  const count = (rows[1] - rows[0]) * (columns[1] - columns[0]);
  return sums.map((sum) => sum / count);
}

const clear = 0xffff;

/** The colour of each pixel as a number; what a colour is off by is handed on to the neighbours not yet painted. */
function dither({ width, height, rgba }: Bitmap): Uint16Array {
  const indices = new Uint16Array(width * height);
  let here = new Float32Array((width + 2) * 3);
  let below = new Float32Array((width + 2) * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      if ((rgba[pixel * 4 + 3] ?? 0) < 128) {
        indices[pixel] = clear;
        continue;
      }
      let index = 0;
      for (let part = 0; part < 3; part += 1) {
        const at = (x + 1) * 3 + part;
        const most = (steps[part] ?? 2) - 1;
        const wanted = (rgba[pixel * 4 + part] ?? 0) + (here[at] ?? 0);
        const step = Math.min(most, Math.max(0, Math.round((wanted * most) / 255)));
        const off = wanted - (step * 255) / most;
        here[at + 3] = (here[at + 3] ?? 0) + (off * 7) / 16;
        below[at - 3] = (below[at - 3] ?? 0) + (off * 3) / 16;
        below[at] = (below[at] ?? 0) + (off * 5) / 16;
        below[at + 3] = (below[at + 3] ?? 0) + off / 16;
        index = index * (steps[part] ?? 1) + step;
      }
      indices[pixel] = index;
    }
    [here, below] = [below, here.fill(0)];
  }
  return indices;
}

/** A colour of the palette, in hundredths as terminals want them. */
function definition(index: number): string {
  const [, green, blue] = steps;
  const parts = [Math.floor(index / (green * blue)), Math.floor(index / blue) % green, index % blue];
  const hundredths = parts.map((part, at) => Math.round((part * 100) / ((steps[at] ?? 2) - 1)));
  return `#${index};2;${hundredths.join(';')}`;
}

interface Strip {
  width: number;
  top: number;
  bottom: number;
}

function strip(indices: Uint16Array, { width, top, bottom }: Strip): string {
  const rows = new Map<number, Uint8Array>();
  for (let y = top; y < bottom; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = indices[y * width + x] ?? clear;
      if (index === clear) continue;
      let bits = rows.get(index);
      if (bits === undefined) rows.set(index, (bits = new Uint8Array(width)));
      bits[x] = (bits[x] ?? 0) | (1 << (y - top));
    }
  }
  return Array.from(rows, ([index, bits]) => `#${index}${runLengthEncode(bits)}`).join('$');
}

/** Equal ones in a row are counted. */
function runLengthEncode(bits: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bits.length; ) {
    let to = from + 1;
    while (to < bits.length && bits[to] === bits[from]) to += 1;
    const letter = String.fromCharCode(63 + (bits[from] ?? 0));
    text += to - from > 3 ? `!${to - from}${letter}` : letter.repeat(to - from);
    from = to;
  }
  return text;
}
