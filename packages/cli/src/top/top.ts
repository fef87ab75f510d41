import {
  hasColour,
  print,
  printPieces,
  leaveAltScreen,
  toOneLine,
  printScreen,
  enterAltScreen,
} from '../terminal/print.ts';
import { UsageError } from '../command/usage-error.ts';
import { computeFigures, type TimedReading, type Figures } from './figures.ts';
import { metricsUrl, readMetrics } from './metrics.ts';
import { screenLines, type ScreenLine, span } from './screen.ts';
import { host } from '../host.ts';
import { truncate } from '../terminal/columns.ts';

/** The command line of `ccmcp top`. */
interface TopArguments {
  readonly values: { once?: true; json?: true; interval?: string; header?: string[] };
  readonly positionals: readonly string[];
}

/** `ccmcp top`: shows live metrics of a server. Returns the exit code. */
export async function top({ values, positionals }: TopArguments): Promise<number> {
  const [word, another] = positionals;
  if (word === undefined) throw new UsageError('give the address of a server that runs with --admin: ccmcp top URL');
  if (another !== undefined) throw new UsageError(`unexpected argument: ${another}`);
  const once = values.once === true || values.json === true || !host.stdout.isTTY;
  const intervalMs = intervalOf(values.interval ?? (once ? '1' : '2'));
  const url = metricsUrl(word);
  const headers = headersOf(values.header ?? []);
  const read = async (signal: AbortSignal): Promise<TimedReading> => ({
    reading: await readMetrics(url, { headers, signal }),
    at: performance.now() / 1000,
  });
  if (once) await showOnce({ url, read, intervalMs, json: values.json === true });
  else await showLive({ url, read, intervalMs });
  return 0;
}

function intervalOf(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0.1 && seconds <= 3600))
    throw new UsageError(`--interval must be a number of seconds from 0.1 to 3600: ${text}`);
  return seconds * 1000;
}

function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(each) ?? [];
      if (name === undefined || value === undefined) throw new UsageError("--header must be written 'NAME: VALUE'");
      return [name, value];
    }),
  );
}

/** Unknown figures are null, so that programs find every name. */
function toJson(figures: object): string {
  return JSON.stringify(figures, (_, value: unknown) => (value === undefined ? null : value));
}

interface Once {
  url: string;
  read(signal: AbortSignal): Promise<TimedReading>;
  intervalMs: number;
  json: boolean;
}

async function showOnce({ url, read, intervalMs, json }: Once): Promise<void> {
  const { signal } = new AbortController();
  const before = await read(signal);
  await new Promise((resolve) => setTimeout(resolve, intervalMs));
  const figures = computeFigures(before, await read(signal));
  if (json) return print(`${toJson({ url, ...figures })}\n`);
  const columns = host.stdout.isTTY ? host.stdout.columns || 80 : 120;
  const colour = hasColour(host.stdout, 'auto');
  for (const line of screenLines(figures, { url, columns })) printPieces([...line, { text: '\n' }], { colour });
}

const quitKeys = ['q', 'Q', '\u0003', '\u0004'];

/** Calls back on `q`, Ctrl+C or Ctrl+D. Returns a function that restores the terminal. */
function onQuit(leave: () => void): () => void {
  const { stdin, signals } = host;
  signals.on('SIGINT', leave).on('SIGTERM', leave).on('SIGHUP', leave);
  const back = (): void => void signals.off('SIGINT', leave).off('SIGTERM', leave).off('SIGHUP', leave);
  if (!stdin.isTTY) return back;
  const onKey = (key: Buffer): void => {
    if (quitKeys.some((each) => key.includes(each))) leave();
  };
  stdin.setRawMode(true);
  stdin.on('data', onKey).resume();
  return () => {
    back();
    stdin.off('data', onKey).pause();
    stdin.setRawMode(false);
  };
}

/** The options of the live view. */
export interface LiveOptions {
  url: string;
  read(signal: AbortSignal): Promise<TimedReading>;
  intervalMs: number;
}

/** Shows a server on the alternate screen until the user quits. Fails if the first reading does. */
export async function showLive({ url, read, intervalMs }: LiveOptions): Promise<void> {
  const quit = new AbortController();
  let before = await read(quit.signal);
  let figures: Figures | undefined;
  let problem: string | undefined;
  const draw = (): void => show({ url, figures, problem, since: before.at });
  enterAltScreen();
  const restoreTerminal = onQuit(() => quit.abort());
  host.stdout.on('resize', draw);
  try {
    draw();
    // The first figures don't wait for a long interval.
    await wait(Math.min(intervalMs, 1000), quit.signal);
    while (!quit.signal.aborted) {
      try {
        const after = await read(quit.signal);
        figures = computeFigures(before, after);
        before = after;
        problem = undefined;
      } catch (error) {
        problem = (error as Error).message;
      }
      if (quit.signal.aborted) break;
      draw();
      await wait(intervalMs, quit.signal);
    }
  } finally {
    host.stdout.off('resize', draw);
    restoreTerminal();
    leaveAltScreen();
  }
}

interface Shown {
  url: string;
  figures: Figures | undefined;
  /** The reason if the last reading failed. */
  problem: string | undefined;
  /** The time of the last successful reading. */
  since: number;
}

function show({ url, figures, problem, since }: Shown): void {
  // A terminal of unknown size reports 0.
  const columns = host.stdout.columns || 80;
  const rows = host.stdout.rows || 24;
  const lines: ScreenLine[] =
    figures === undefined
      ? [[{ text: truncate(`Looking at ${toOneLine(url)} …`, columns) }]]
      : screenLines(figures, { url, columns });
  const old = span(performance.now() / 1000 - since);
  const foot: ScreenLine =
    problem === undefined
      ? [{ text: truncate('q leaves', columns), style: 'dim' }]
      : [{ text: truncate(toOneLine(`This is ${old} old: ${problem}`), columns), style: 'red' }];
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
