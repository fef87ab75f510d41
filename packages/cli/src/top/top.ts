import { hasColour } from '../terminal/colour.ts';
import { UsageError } from '../command/usage-error.ts';
import { print, printPieces } from '../terminal/print.ts';
import { computeFigures, type TimedReading } from './figures.ts';
import { showLive } from './live.ts';
import { metricsUrl, readMetrics } from './read-metrics.ts';
import { screenLines } from './screen.ts';
import { host } from '../host.ts';

/** The command line of `ccmcp top`. */
interface TopArguments {
  readonly values: { once?: true; json?: true; interval?: string; header?: string[] };
  readonly positionals: readonly string[];
}

/** `ccmcp top`: shows how a server does. Returns the exit code. */
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
function asJson(figures: object): string {
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
  if (json) return print(`${asJson({ url, ...figures })}\n`);
  const columns = host.stdout.isTTY ? host.stdout.columns || 80 : 120;
  const colour = hasColour(host.stdout, 'auto');
  for (const line of screenLines(figures, { url, columns })) printPieces([...line, { text: '\n' }], { colour });
}
