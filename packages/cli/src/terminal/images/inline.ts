import type { ImageProtocol } from './protocols.ts';
import { decodePng, pngSize } from './png.ts';

/** More is not for a terminal, and goes through it slowly. */
const mostBytes = 16 * 1024 * 1024;
/** About how many pixels a column has; few terminals say. */
const columnPixels = 9;
const kittyChunk = 4096;

/**
 * An image as what a terminal shows it by; undefined where this way has no place for such an image. The bytes are a
 * stranger's: they are written in an alphabet in which no control character can be.
 */
export async function inlineImage(
  data: Buffer,
  { way, columns }: { way: ImageProtocol; columns: number },
): Promise<string | undefined> {
  if (data.length > mostBytes) return undefined;
  const size = pngSize(data);
  if (way === 'iterm2') return size !== undefined || isPhoto(data) ? iterm(data) : undefined;
  if (size === undefined) return undefined;
  if (way === 'kitty') return kitty(data, size.width > columns * columnPixels ? columns : undefined);
  const picture = decodePng(data);
  const { downscale: narrowed, encodeSixel: sixel } = await import('./sixel.ts');
  return picture && sixel(narrowed(picture, columns * columnPixels));
}

/** JPEG, GIF or WebP, by their first bytes: what a server says of it may be wrong. */
function isPhoto(data: Buffer): boolean {
  const start = data.toString('latin1', 0, 12);
  return /^(?:\u00FF\u00D8\u00FF|GIF8[79]a|RIFF[^]{4}WEBP)/.test(start);
}

function iterm(data: Buffer): string {
  return `\u001B]1337;File=inline=1;preserveAspectRatio=1;size=${data.length}:${data.toString('base64')}\u0007`;
}

/** In chunks, as the terminal wants; it is told not to answer, since nobody would read that. */
function kitty(data: Buffer, columns: number | undefined): string {
  const text = data.toString('base64');
  const width = columns === undefined ? '' : `,c=${columns}`;
  let sent = '';
  for (let at = 0; at < text.length; at += kittyChunk) {
    const more = at + kittyChunk < text.length ? 1 : 0;
    const keys = at === 0 ? `a=T,f=100,q=2${width},m=${more}` : `q=2,m=${more}`;
    sent += `\u001B_G${keys};${text.slice(at, at + kittyChunk)}\u001B\\`;
  }
  return sent;
}
