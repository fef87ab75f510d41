import { hasColour } from '../terminal/colour.ts';
import { truncate } from '../terminal/columns.ts';
import { leaveAltScreen, toOneLine, printScreen, enterAltScreen } from '../terminal/print.ts';
import { span } from './format.ts';
import { type Figures, computeFigures, type TimedReading } from './figures.ts';
import { type ScreenLine, screenLines } from './screen.ts';
import { host } from '../host.ts';

const leaving = ['q', 'Q', '\u0003', '\u0004'];

/** Calls back on `q`, Ctrl+C or Ctrl+D. Returns a function that restores the terminal. */
function onQuit(leave: () => void): () => void {
  const { stdin, signals } = host;
  signals.on('SIGINT', leave).on('SIGTERM', leave).on('SIGHUP', leave);
  const back = (): void => void signals.off('SIGINT', leave).off('SIGTERM', leave).off('SIGHUP', leave);
  if (!stdin.isTTY) return back;
  const onKey = (key: Buffer): void => {
    if (leaving.some((each) => key.includes(each))) leave();
  };
  stdin.setRawMode(true);
  stdin.on('data', onKey).resume();
  return () => {
    back();
    stdin.off('data', onKey).pause();
    stdin.setRawMode(false);
  };
}

/** What `top` shows live. */
export interface Live {
  url: string;
  read(signal: AbortSignal): Promise<TimedReading>;
  intervalMs: number;
}

/** Shows a server on the alternate screen until the user quits. Fails if the first reading does. */
export async function showLive({ url, read, intervalMs }: Live): Promise<void> {
  const left = new AbortController();
  let before = await read(left.signal);
  let figures: Figures | undefined;
  let trouble: string | undefined;
  const draw = (): void => show({ url, figures, trouble, since: before.at });
  enterAltScreen();
  const giveBack = onQuit(() => left.abort());
  host.stdout.on('resize', draw);
  try {
    draw();
    // The first figures come soon, however seldom the later ones do.
    await wait(Math.min(intervalMs, 1000), left.signal);
    while (!left.signal.aborted) {
      try {
        const after = await read(left.signal);
        figures = computeFigures(before, after);
        before = after;
        trouble = undefined;
      } catch (error) {
        trouble = (error as Error).message;
      }
      if (left.signal.aborted) break;
      draw();
      await wait(intervalMs, left.signal);
    }
  } finally {
    host.stdout.off('resize', draw);
    giveBack();
    leaveAltScreen();
  }
}

interface Shown {
  url: string;
  figures: Figures | undefined;
  /** Why the last reading failed, where it did. */
  trouble: string | undefined;
  /** When the last one was that did not. */
  since: number;
}

function show({ url, figures, trouble, since }: Shown): void {
  // A terminal of unknown size reports 0.
  const columns = host.stdout.columns || 80;
  const rows = host.stdout.rows || 24;
  const lines: ScreenLine[] =
    figures === undefined
      ? [[{ text: truncate(`Looking at ${toOneLine(url)} …`, columns) }]]
      : screenLines(figures, { url, columns });
  const old = span(performance.now() / 1000 - since);
  const foot: ScreenLine =
    trouble === undefined
      ? [{ text: truncate('q leaves', columns), style: 'dim' }]
      : [{ text: truncate(toOneLine(`This is ${old} old: ${trouble}`), columns), style: 'red' }];
  printScreen([...lines.slice(0, rows - 1), foot], { colour: hasColour(host.stdout, 'auto') });
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
