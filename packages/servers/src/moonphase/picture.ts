import { encodePng, type Picture } from './png.ts';
import { brightnessAt } from './surface.ts';

/** What the moon looks like at some time. */
export interface Appearance {
  /** The lit part of the disc, from 0 to 1. */
  readonly illuminated: number;
  /** A waxing moon is lit on the right, as it is seen from the northern hemisphere. */
  readonly waxing: boolean;
}

const size = 256;
const radius = 118;
/** A row of pixels is cut into so many lines; along a line it is exact how much of each pixel is covered. */
const linesPerRow = 4;

const sky = 8;
const highlands = 245;
/** How bright the moon is where the sun doesn't shine, as part of what it is in the sun. */
const earthshine = 0.13;
/** Only every so many shades are used: one doesn't see that, and the file is a third smaller. */
const shadeStep = 4;

/** The moon as a PNG file: north is up, and the dark side can just be seen. */
export function moonPicture(appearance: Appearance): Uint8Array {
  return encodePng(drawMoon(appearance));
}

/** The moon as pixels. */
export function drawMoon({ illuminated, waxing }: Appearance): Picture {
  // The shadow's edge is half an ellipse: it divides every line across the disc as it divides the whole disc.
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

interface Place {
  /** How much of the pixel the disc covers, from 0 to 1. */
  readonly covered: number;
  /** Its shade in the sun. */
  readonly brightness: number;
}

let known: Place[] | undefined;

/** What is the same at all times, worked out once. */
function fullMoon(): readonly Place[] {
  if (known !== undefined) return known;
  known = Array.from(
    coverage((half) => [-half, half]),
    (covered, at) => {
      const x = (at % size) + 0.5 - size / 2;
      const y = size / 2 - Math.floor(at / size) - 0.5;
      return { covered, brightness: covered === 0 ? 0 : highlands * brightnessAt(x / radius, y / radius) };
    },
  );
  return known;
}

/** How much of each pixel a shape covers, from 0 to 1; `span` says where it lies on a line, by half the disc there. */
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
