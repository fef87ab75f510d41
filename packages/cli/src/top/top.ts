import { parseArgs } from 'node:util';
import { hasColour } from '../terminal/colour.ts';
import { Misuse } from '../command/usage-error.ts';
import { print, printPainted } from '../terminal/print.ts';
import { tellFailure } from '../command/report-failure.ts';
import { optionMisuse } from '../command/usage-error.ts';
import { figuresOf, type TimedReading } from './figures.ts';
import { topHelp } from './help.ts';
import { showLive } from './live.ts';
import { metricsUrl, readMetrics } from './read-metrics.ts';
import { screenLines } from './screen.ts';
import { host } from '../host.ts';

const options = {
  once: { type: 'boolean' },
  json: { type: 'boolean' },
  interval: { type: 'string' },
  header: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `ccmcp top`: shows how a server does. Gives the exit code. */
export async function top(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parsed(args);
    if (values.help) {
      print(topHelp);
      return 0;
    }
    const [word, another] = positionals;
    if (word === undefined) throw new Misuse('give the address of a server that runs with --admin: ccmcp top URL');
    if (another !== undefined) throw new Misuse(`one address is enough; "${another}" is a second one`);
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
  } catch (error) {
    return tellFailure(error, { args, name: 'top' });
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw optionMisuse(error as Error, Object.keys(options));
  }
}

function intervalOf(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0.1 && seconds <= 3600))
    throw new Misuse(`--interval must be a number of seconds from 0.1 to 3600: ${text}`);
  return seconds * 1000;
}

function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(each) ?? [];
      if (name === undefined || value === undefined) throw new Misuse("--header must be written 'NAME: VALUE'");
      return [name, value];
    }),
  );
}

/** Whoever reads it by program finds each name, also of what is not known. */
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
  const figures = figuresOf(before, await read(signal));
  if (json) return print(`${asJson({ url, ...figures })}\n`);
  const columns = host.stdout.isTTY ? host.stdout.columns || 80 : 120;
  const colour = hasColour(host.stdout, 'auto');
  for (const line of screenLines(figures, { url, columns })) printPainted([...line, { text: '\n' }], { colour });
}
