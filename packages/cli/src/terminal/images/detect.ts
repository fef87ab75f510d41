import type { ImageChoice, ImageProtocol } from './protocols.ts';
import { host } from '../../host.ts';

/** How the terminal of this process shows images; undefined where it does not, or is none. */
export async function detectImageProtocol(choice: ImageChoice): Promise<ImageProtocol | undefined> {
  if (choice === 'none' || !host.stdout.isTTY) return undefined;
  return choice === 'auto' ? (protocolFromEnvironment(process.env) ?? (await queryTerminal())) : choice;
}

/** What a terminal that calls itself by a name can do. Inside another one that passes nothing on, that name is of no use. */
export function protocolFromEnvironment(env: Readonly<Record<string, string | undefined>>): ImageProtocol | undefined {
  const { TERM = '', TERM_PROGRAM: program = '', LC_TERMINAL: over } = env;
  if (env.TMUX !== undefined || env.STY !== undefined || /^(?:screen|tmux)/.test(TERM)) return undefined;
  if (env.KITTY_WINDOW_ID !== undefined || /kitty|ghostty/.test(TERM) || program === 'ghostty') return 'kitty';
  if (['iTerm.app', 'WezTerm', 'mintty'].includes(program) || over === 'iTerm2') return 'iterm2';
  if (Number(env.KONSOLE_VERSION) >= 220_400) return 'kitty';
  if (/^(?:foot|mlterm|contour)|sixel/.test(TERM)) return 'sixel';
  return undefined;
}

/** All terminals answer at once; one behind a slow line shows no images then. */
const timeoutMs = 500;

/** Asked once: it costs a moment. */
let asked: Promise<ImageProtocol | undefined> | undefined;

function queryTerminal(): Promise<ImageProtocol | undefined> {
  asked ??= askForSixel();
  return asked;
}

/** Asks the terminal what it can do: a 4 among its attributes is sixel. Not while somebody types, whose keys would be lost. */
async function askForSixel(): Promise<ImageProtocol | undefined> {
  const { stdin } = host;
  if (!stdin.isTTY || stdin.isRaw || stdin.listenerCount('data') + stdin.listenerCount('readable') > 0)
    return undefined;
  const { printBytes } = await import('../print.ts');
  stdin.setRawMode(true);
  try {
    return await new Promise((resolve) => {
      let heard = '';
      const timer = setTimeout(() => finish(undefined), timeoutMs);
      function finish(way: ImageProtocol | undefined): void {
        clearTimeout(timer);
        stdin.off('data', take);
        resolve(way);
      }
      function take(chunk: Buffer): void {
        heard += chunk.toString('latin1');
        if (heard.includes('\u0003')) {
          host.interrupt();
          finish(undefined);
        }
        const attributes = /\[\?([\d;]*)c/.exec(heard)?.[1];
        if (attributes !== undefined) finish(attributes.split(';').slice(1).includes('4') ? 'sixel' : undefined);
      }
      stdin.on('data', take);
      printBytes(Buffer.from('\u001B[c'));
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}
