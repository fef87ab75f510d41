/** The terminal protocols for inline images: kitty's graphics protocol and iTerm2's inline images. */
export type ImageProtocol = 'kitty' | 'iterm2';

/** The values of `--images`. */
export const imageChoices = ['auto', 'kitty', 'iterm2', 'none'] as const;

export type ImageChoice = (typeof imageChoices)[number];

/** A larger image takes too long to print. */
const maxBytes = 16 * 1024 * 1024;
/** The usual width of a column in pixels; few terminals report it. */
const columnPixels = 9;
const kittyChunk = 4096;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Detects the image protocol of a terminal by its environment variables. tmux and screen pass no images through. */
export function detectImageProtocol(env: Readonly<Record<string, string | undefined>>): ImageProtocol | undefined {
  const { TERM = '', TERM_PROGRAM: program = '', LC_TERMINAL: over } = env;
  if (env.TMUX !== undefined || env.STY !== undefined || /^(?:screen|tmux)/.test(TERM)) return undefined;
  if (env.KITTY_WINDOW_ID !== undefined || /kitty|ghostty/.test(TERM) || program === 'ghostty') return 'kitty';
  if (['iTerm.app', 'WezTerm', 'mintty'].includes(program) || over === 'iTerm2') return 'iterm2';
  return Number(env.KONSOLE_VERSION) >= 220_400 ? 'kitty' : undefined;
}

/**
 * Encodes an image as an escape sequence of the terminal; undefined if the protocol does not support its format. The bytes are
 * untrusted: in base64 they can't contain control characters.
 */
export function encodeImage(
  data: Buffer,
  { protocol, columns }: { protocol: ImageProtocol; columns: number },
): string | undefined {
  if (data.length > maxBytes) return undefined;
  const width = pngWidth(data);
  if (protocol === 'iterm2') return width !== undefined || isPhoto(data) ? encodeForIterm(data) : undefined;
  return width === undefined ? undefined : encodeForKitty(data, width > columns * columnPixels ? columns : undefined);
}

function pngWidth(data: Buffer): number | undefined {
  return data.length >= 33 && data.subarray(0, 8).equals(pngSignature) ? data.readUInt32BE(16) : undefined;
}

/** Recognizes JPEG, GIF and WebP by their first bytes: the MIME type may be wrong. */
function isPhoto(data: Buffer): boolean {
  const start = data.toString('latin1', 0, 12);
  return /^(?:\u00FF\u00D8\u00FF|GIF8[79]a|RIFF[^]{4}WEBP)/.test(start);
}

function encodeForIterm(data: Buffer): string {
  return `\u001B]1337;File=inline=1;preserveAspectRatio=1;size=${data.length}:${data.toString('base64')}\u0007`;
}

/** Splits the image into chunks, as kitty requires. `q=2` suppresses its response, which nothing would read. */
function encodeForKitty(data: Buffer, columns: number | undefined): string {
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
