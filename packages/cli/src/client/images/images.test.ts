import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inlineImage } from '../../terminal/images/inline.ts';
import { type Bitmap, decodePng, pngSize } from '../../terminal/images/png.ts';
import { downscale, encodeSixel } from '../../terminal/images/sixel.ts';
import { protocolFromEnvironment } from '../../terminal/images/detect.ts';

const signature = Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1');

/** A part of a PNG; nobody looks at its checksum. */
function part(name: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

interface Described {
  width: number;
  height: number;
  depth: number;
  kind: number;
  interlace?: number;
  /** Rows with their filter before them. */
  rows: number[];
  more?: [string, number[]][];
}

function png({ width, height, depth, kind, interlace = 0, rows, more = [] }: Described): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, kind, 0, 0, interlace], 8);
  const others = more.map(([name, data]) => part(name, Uint8Array.from(data)));
  const data = part('IDAT', deflateSync(Uint8Array.from(rows)));
  return Buffer.concat([signature, part('IHDR', header), ...others, data, part('IEND', new Uint8Array())]);
}

/** The pixels of a picture, four numbers each. */
function pixels(picture: Bitmap | undefined): number[][] {
  const all = [...(picture?.rgba ?? [])];
  return Array.from({ length: all.length / 4 }, (_, index) => all.slice(index * 4, index * 4 + 4));
}

const [red, green, blue, white, black, none] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
  [0, 0, 0, 255],
  [0, 0, 0, 0],
];

describe('a PNG', () => {
  const cases: [string, Described, (number[] | undefined)[]][] = [
    ['in colours', { width: 2, height: 1, depth: 8, kind: 2, rows: [0, 255, 0, 0, 0, 255, 0] }, [red, green]],
    ['with opacity', { width: 2, height: 1, depth: 8, kind: 6, rows: [0, 0, 0, 255, 255, 0, 0, 0, 0] }, [blue, none]],
    ['in grey', { width: 2, height: 1, depth: 8, kind: 0, rows: [0, 0, 255] }, [black, white]],
    ['in grey with opacity', { width: 2, height: 1, depth: 8, kind: 4, rows: [0, 255, 255, 0, 0] }, [white, none]],
    ['in one bit', { width: 3, height: 1, depth: 1, kind: 0, rows: [0, 0b0110_0000] }, [black, white, white]],
    ['in four bits', { width: 2, height: 1, depth: 4, kind: 0, rows: [0, 0x0f] }, [black, white]],
    ['in sixteen bits', { width: 1, height: 1, depth: 16, kind: 2, rows: [0, 255, 1, 0, 2, 0, 3] }, [red]],
    [
      'with a palette that is see-through in part',
      {
        width: 3,
        height: 1,
        depth: 2,
        kind: 3,
        rows: [0, 0b00_01_10_00],
        more: [
          ['PLTE', [255, 0, 0, 0, 255, 0, 0, 0, 0]],
          ['tRNS', [255, 255, 0]],
        ],
      },
      [red, green, none],
    ],
    [
      'whose rows are differences',
      {
        width: 2,
        height: 4,
        depth: 8,
        kind: 0,
        rows: [1, 100, 155, 2, 155, 0, 3, 128, 0, 4, 0, 0],
      },
      [[100, 100, 100, 255], white, white, white, white, [255, 255, 255, 255], white, white],
    ],
    [
      'that is interlaced',
      { width: 2, height: 2, depth: 8, kind: 0, interlace: 1, rows: [0, 10, 0, 20, 0, 30, 40] },
      [10, 20, 30, 40].map((grey) => [grey, grey, grey, 255]),
    ],
  ];

  it.each(cases)('%s is understood', (_, described, expected) => {
    expect(pixels(decodePng(png(described)))).toEqual(expected);
  });

  const plain: Described = { width: 1, height: 1, depth: 8, kind: 0, rows: [0, 9] };

  it.each([
    ['no PNG', Buffer.from('GIF89a and more that is long enough for a header')],
    ['cut off', png(plain).subarray(0, 40)],
    ['too short in rows', png({ ...plain, height: 9 })],
    ['larger than anybody looks at', png({ ...plain, width: 100_000, height: 100_000 })],
    ['without a size', png({ ...plain, width: 0 })],
    ['of a kind that there is not', png({ ...plain, kind: 5 })],
    ['damaged', Buffer.concat([png(plain).subarray(0, 45), Buffer.alloc(40, 7)])],
    ['empty', Buffer.alloc(0)],
  ])('is left alone where it is %s', (_, data) => {
    expect(decodePng(data)).toBeUndefined();
  });

  it('says how large it is', () => {
    expect(pngSize(png({ ...plain, width: 300, height: 200 }))).toEqual({ width: 300, height: 200 });
    expect(pngSize(Buffer.from('no'))).toBeUndefined();
  });
});

/** Paints what a terminal would of sixel text. */
function drawn(text: string): { size: number[]; at(x: number, y: number): string | undefined } {
  const [, width = '', height = '', body = ''] = /^\p{Cc}P0;1;0q"1;1;(\d+);(\d+)([ -~]*)\p{Cc}\\$/u.exec(text) ?? [];
  const colours = new Map<string, string>();
  const points = new Map<string, string>();
  let [x, y, colour] = [0, 0, ''];
  for (const [, define, values, use, sign, count, letter = ''] of body.matchAll(
    /#(\d+);2;([\d;]+)|#(\d+)|([$-])|(?:!(\d+))?([?-~])/g,
  )) {
    if (define !== undefined) colours.set(define, values ?? '');
    else if (use !== undefined) colour = colours.get(use) ?? 'undefined';
    else if (sign !== undefined) [x, y] = [0, sign === '-' ? y + 6 : y];
    else {
      for (let times = Number(count ?? 1); times > 0; times -= 1, x += 1) {
        const bits = letter.charCodeAt(0) - 63;
        for (let row = 0; row < 6; row += 1) if (bits & (1 << row)) points.set(`${x},${y + row}`, colour);
      }
    }
  }
  return { size: [Number(width), Number(height)], at: (px, py) => points.get(`${px},${py}`) };
}

describe('sixel', () => {
  it('paints every pixel in its colour, and none that is see-through', () => {
    const rgba = new Uint8Array(10 * 13 * 4);
    for (let index = 0; index < 130; index += 1) rgba.set((index % 10 < 5 ? red : blue) ?? [], index * 4);
    rgba.set(none ?? [], (7 * 10 + 3) * 4);
    const { size, at } = drawn(encodeSixel({ width: 10, height: 13, rgba }));
    expect(size).toEqual([10, 13]);
    for (let y = 0; y < 13; y += 1) {
      for (let x = 0; x < 10; x += 1) {
        const colour = x < 5 ? '100;0;0' : '0;0;100';
        expect(at(x, y)).toBe(x === 3 && y === 7 ? undefined : colour);
      }
    }
    expect(at(0, 13)).toBeUndefined();
  });

  it('makes a picture narrower by the mean of its pixels', () => {
    const rgba = Uint8Array.from([0, 100, 200, 100].flatMap((grey) => [grey, grey, grey, 255]));
    const { width, height, rgba: small } = downscale({ width: 4, height: 1, rgba }, 2);
    expect({ width, height }).toEqual({ width: 2, height: 1 });
    expect([...small]).toEqual([50, 50, 50, 255, 150, 150, 150, 255]);
  });
});

describe('an image for a terminal', () => {
  const picture = png({ width: 2, height: 1, depth: 8, kind: 2, rows: [0, 255, 0, 0, 0, 255, 0] });

  it('of kitty is sent in chunks that hold the PNG', async () => {
    const large = Buffer.concat([picture, Buffer.alloc(10_000)]);
    const text = (await inlineImage(large, { way: 'kitty', columns: 80 })) ?? '';
    const chunks = text.split('\u001B\\').slice(0, -1);
    expect(chunks[0]).toMatch(/^\p{Cc}_Ga=T,f=100,q=2,m=1;/u);
    expect(chunks.at(-1)).toMatch(/^\p{Cc}_Gq=2,m=0;/u);
    for (const chunk of chunks) expect(chunk).toMatch(/^\p{Cc}_G[a-zA-Z0-9=,]+;[A-Za-z0-9+/=]{1,4096}$/u);
    expect(Buffer.from(chunks.map((chunk) => chunk.split(';')[1]).join(''), 'base64')).toEqual(large);
  });

  it('of kitty is not wider than the terminal', async () => {
    const wide = png({ width: 5000, height: 1, depth: 8, kind: 0, rows: [0] });
    expect(await inlineImage(wide, { way: 'kitty', columns: 80 })).toContain('c=80');
  });

  it('of iTerm2 may be of other kinds', async () => {
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]);
    for (const data of [picture, jpeg, Buffer.from('GIF89a'), Buffer.from('RIFF1234WEBPVP8 ')]) {
      const text = await inlineImage(data, { way: 'iterm2', columns: 80 });
      expect(text).toBe(
        `\u001B]1337;File=inline=1;preserveAspectRatio=1;size=${data.length}:${data.toString('base64')}\u0007`,
      );
    }
    expect(await inlineImage(jpeg, { way: 'kitty', columns: 80 })).toBeUndefined();
    expect(await inlineImage(jpeg, { way: 'sixel', columns: 80 })).toBeUndefined();
  });

  it('of sixel is painted', async () => {
    const { at } = drawn((await inlineImage(picture, { way: 'sixel', columns: 80 })) ?? '');
    expect([at(0, 0), at(1, 0)]).toEqual(['100;0;0', '0;100;0']);
  });

  it.each(['kitty', 'iterm2', 'sixel'] as const)('is none where it is no image: %s', async (way) => {
    const hostile = Buffer.from('\u001B[2J not an image, whatever its type says');
    expect(await inlineImage(hostile, { way, columns: 80 })).toBeUndefined();
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
    [{ TERM: 'foot' }, 'sixel'],
    [{ TERM: 'xterm-256color' }, undefined],
    [{ KITTY_WINDOW_ID: '1', TMUX: '/tmp/x' }, undefined],
    [{ TERM_PROGRAM: 'iTerm.app', TERM: 'screen-256color' }, undefined],
    [{}, undefined],
  ])('that says %j shows images by %s', (env, way) => {
    expect(protocolFromEnvironment(env)).toBe(way);
  });
});
