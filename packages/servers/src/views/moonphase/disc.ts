import { brightnessAt } from '../../moonphase/surface.ts';

/** The phase as an angle: a month is a full turn that begins with the new moon. */
export type PhaseAngle = number;

/** The phase angle of an illumination. */
export function phaseAngleOf({ illuminated, waxing }: { illuminated: number; waxing: boolean }): PhaseAngle {
  const half = Math.acos(1 - 2 * Math.min(1, Math.max(0, illuminated)));
  return waxing ? half : 2 * Math.PI - half;
}

/** Craters with rays, by position on the disc. */
const craters = [
  /* Tycho */ { x: -0.14, y: -0.68, reach: 0.3, light: 0.16 },
  /* Copernicus */ { x: -0.34, y: 0.17, reach: 0.13, light: 0.2 },
  /* Kepler */ { x: -0.6, y: 0.14, reach: 0.09, light: 0.16 },
  /* Aristarchus */ { x: -0.66, y: 0.4, reach: 0.06, light: 0.22 },
  /* Langrenus */ { x: 0.86, y: -0.15, reach: 0.07, light: 0.1 },
];

/** Draws the moon on a canvas, in its displayed size. */
export class Disc {
  readonly #canvas: HTMLCanvasElement;
  #size = 0;
  /** For each pixel of the disc: normal x and z, brightness, coverage, index. */
  #points: Float32Array = new Float32Array(0);

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  draw(angle: PhaseAngle): void {
    const size = Math.min(640, Math.round(this.#canvas.clientWidth * Math.min(2, devicePixelRatio)));
    const context = this.#canvas.getContext('2d');
    if (size === 0 || context === null) return;
    if (size !== this.#size) this.#prepare(size);
    const image = context.createImageData(size, size);
    const [sunX, sunZ] = [Math.sin(angle), -Math.cos(angle)];
    const points = this.#points;
    for (let at = 0; at < points.length; at += 5) {
      const shade = points[at + 2] as number;
      const pixel = points[at + 4] as number;
      // Grazing light is weak; elsewhere the rough ground looks almost equally bright.
      const slant = (points[at] as number) * sunX + (points[at + 1] as number) * sunZ;
      const light = Math.min(1, Math.max(0, slant) * 5) ** 0.6;
      const sun = shade * light;
      const earth = (0.03 + shade * 0.12) * (1 - light);
      image.data[pixel] = 255 * (sun + earth * 0.8);
      image.data[pixel + 1] = 250 * (sun + earth * 0.95);
      image.data[pixel + 2] = 236 * (sun + earth * 1.35);
      image.data[pixel + 3] = 255 * (points[at + 3] as number);
    }
    context.putImageData(image, 0, 0);
  }

  #prepare(size: number): void {
    this.#size = size;
    this.#canvas.width = size;
    this.#canvas.height = size;
    const radius = size / 2 - 1;
    const points: number[] = [];
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const x = (column + 0.5 - size / 2) / radius;
        const y = (size / 2 - row - 0.5) / radius;
        const away = Math.hypot(x, y);
        const cover = Math.min(1, Math.max(0, (1 - away) * radius + 0.5));
        if (cover === 0) continue;
        const z = Math.sqrt(Math.max(0, 1 - x * x - y * y));
        points.push(x, z, shadeAt(x, y, z), cover, (row * size + column) * 4);
      }
    }
    this.#points = Float32Array.from(points);
  }
}

function shadeAt(x: number, y: number, z: number): number {
  // Foreshortening near the edge.
  const [u, v] = [Math.asin(clamp(x)), Math.asin(clamp(y))];
  // The plains are circles in the data; noise makes their edges irregular.
  const [driftX, driftY] = [drift(u + 7, v), drift(u, v + 13)];
  const there = clampToDisc(x + driftX * z, y + driftY * z);
  let shade = blurredBrightness(there.x, there.y) * (0.88 + 0.12 * z);
  for (const crater of craters) {
    const away = Math.hypot(x - crater.x, y - crater.y) / crater.reach;
    if (away < 1) shade += crater.light * (1 - away) ** 2;
  }
  const rough = noise(u * 6, v * 6) * 0.4 + noise(u * 14, v * 14) * 0.3 + noise(u * 34, v * 34) * 0.3;
  return Math.min(1, Math.max(0, shade * 0.95 + (rough - 0.5) * 0.2));
}

/** The irregularity of the edge of a plain. */
function drift(u: number, v: number): number {
  return (
    (noise(u * 4, v * 4) - 0.5) * 0.2 + (noise(u * 11, v * 11) - 0.5) * 0.11 + (noise(u * 27, v * 27) - 0.5) * 0.04
  );
}

/** The average brightness around a point. */
function blurredBrightness(x: number, y: number): number {
  let sum = 0;
  for (const [dx, dy] of neighbours) sum += brightnessAt(x + dx, y + dy);
  return sum / neighbours.length;
}

const neighbours = [
  [0, 0],
  [0.035, 0],
  [-0.035, 0],
  [0, 0.035],
  [0, -0.035],
] as const;

function clampToDisc(x: number, y: number): { x: number; y: number } {
  const away = Math.max(1, Math.hypot(x, y));
  return { x: x / away, y: y / away };
}

function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}

/** Deterministic value noise from 0 to 1. */
function noise(x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [smoothstep(x - left), smoothstep(y - top)];
  const upper = mix(grain(left, top), grain(left + 1, top), u);
  const lower = mix(grain(left, top + 1), grain(left + 1, top + 1), u);
  return mix(upper, lower, v);
}

function grain(x: number, y: number): number {
  const value = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
  return value - Math.floor(value);
}

function smoothstep(value: number): number {
  return value * value * (3 - 2 * value);
}

function mix(one: number, other: number, share: number): number {
  return one + (other - one) * share;
}
