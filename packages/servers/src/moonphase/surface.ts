/** A dark plain by its selenographic coordinates, in degrees. */
interface Plain {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
  /** How much darker it is than the highlands, from 0 to 1. */
  readonly depth: number;
}

const plains: readonly Plain[] = [
  /* Imbrium */ { latitude: 34, longitude: -17, radius: 19, depth: 0.34 },
  /* Serenitatis */ { latitude: 27, longitude: 18, radius: 12, depth: 0.34 },
  /* Tranquillitatis */ { latitude: 9, longitude: 30, radius: 15, depth: 0.4 },
  /* Crisium */ { latitude: 17, longitude: 59, radius: 9, depth: 0.44 },
  /* Fecunditatis */ { latitude: -6, longitude: 51, radius: 13, depth: 0.32 },
  /* Nectaris */ { latitude: -15, longitude: 35, radius: 6, depth: 0.32 },
  /* Vaporum */ { latitude: 13, longitude: 3, radius: 6, depth: 0.24 },
  /* Frigoris */ { latitude: 57, longitude: -20, radius: 7, depth: 0.22 },
  /* Frigoris */ { latitude: 57, longitude: 12, radius: 7, depth: 0.22 },
  /* Procellarum */ { latitude: 22, longitude: -57, radius: 18, depth: 0.32 },
  /* Procellarum */ { latitude: -1, longitude: -43, radius: 20, depth: 0.32 },
  /* Nubium */ { latitude: -18, longitude: -18, radius: 13, depth: 0.3 },
  /* Humorum */ { latitude: -24, longitude: -39, radius: 8, depth: 0.38 },
];

const directions = plains.map(({ latitude, longitude, radius, depth }) => ({
  x: Math.cos(radians(latitude)) * Math.sin(radians(longitude)),
  y: Math.sin(radians(latitude)),
  z: Math.cos(radians(latitude)) * Math.cos(radians(longitude)),
  extent: 1 - Math.cos(radians(radius)),
  depth,
}));

/** The brightness of the full moon at a point of the unit disc, from 0 to 1; x points right, y up. */
export function brightnessAt(x: number, y: number): number {
  const z = Math.sqrt(Math.max(0, 1 - x * x - y * y));
  let darkest = 0;
  for (const plain of directions) {
    const distance = (1 - x * plain.x - y * plain.y - z * plain.z) / plain.extent;
    darkest = Math.max(darkest, plain.depth * smoothstep(1.5 - distance));
  }
  return 1 - darkest;
}

/** Hermite interpolation from 0 to 1. */
function smoothstep(value: number): number {
  const inside = Math.min(1, Math.max(0, value));
  return inside * inside * (3 - 2 * inside);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
