import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { toOneLine, print, safeJson } from '../terminal/print.ts';
import { logFiles } from './log-files.ts';

interface Call extends Partial<Record<'time' | 'caller' | 'address' | 'method' | 'name' | 'uri' | 'outcome', string>> {
  readonly kind?: string;
  readonly ms?: number;
  readonly error?: { readonly code: number };
  readonly arguments?: unknown;
}

/** The command line of `ccmcp audit show`. */
interface ShowArguments {
  readonly values: { tool?: string; caller?: string; outcome?: string; json?: true };
  readonly positionals: readonly string[];
}

/** Shows the calls in an audit log: `ccmcp audit show FILE…`. */
export async function show({ values, positionals }: ShowArguments): Promise<number> {
  const { tool, caller, outcome, json } = values;
  for (const file of logFiles(positionals)) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const call = parseCall(line);
      if (call === undefined) continue;
      const isWanted =
        (tool === undefined || call.name === tool || call.uri === tool) &&
        (caller === undefined || call.caller === caller) &&
        (outcome === undefined || call.outcome === outcome);
      if (isWanted) print(json ? `${line}\n` : `${toOneLine(formatCall(call))}\n`);
    }
  }
  return 0;
}

function parseCall(line: string): Call | undefined {
  try {
    const record = JSON.parse(line) as Call | null;
    return record?.kind === 'call' ? record : undefined;
  } catch {
    return undefined;
  }
}

function formatCall({ time, caller, address, method, name, uri, outcome, ms, error, arguments: given }: Call): string {
  const who = caller ?? address ?? '-';
  const what = [method, name ?? uri].filter((part) => part !== undefined).join(' ');
  const ended = error === undefined ? outcome : `${outcome} ${error.code}`;
  const about = given === undefined ? [] : [safeJson(given)];
  return [time, who, what, ended, `${ms} ms`, ...about].join('  ');
}
