import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { oneLine, print, shownJson } from '../terminal/print.ts';
import { auditWish } from './options.ts';

interface Call extends Partial<Record<'time' | 'caller' | 'address' | 'method' | 'name' | 'uri' | 'outcome', string>> {
  readonly kind?: string;
  readonly ms?: number;
  readonly error?: { readonly code: number };
  readonly arguments?: unknown;
}

/** Shows the calls in an audit log: `ccmcp audit show FILE…`. */
export async function show(args: readonly string[]): Promise<number> {
  const wish = auditWish(args, ['tool', 'caller', 'outcome']);
  if (typeof wish === 'number') return wish;
  const { tool, caller, outcome } = wish.values;
  for (const file of wish.files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const call = callIn(line);
      if (call === undefined) continue;
      const isWanted =
        (tool === undefined || call.name === tool || call.uri === tool) &&
        (caller === undefined || call.caller === caller) &&
        (outcome === undefined || call.outcome === outcome);
      if (isWanted) print(wish.json ? `${line}\n` : `${oneLine(told(call))}\n`);
    }
  }
  return 0;
}

function callIn(line: string): Call | undefined {
  try {
    const record = JSON.parse(line) as Call | null;
    return record?.kind === 'call' ? record : undefined;
  } catch {
    return undefined;
  }
}

function told({ time, caller, address, method, name, uri, outcome, ms, error, arguments: given }: Call): string {
  const who = caller ?? address ?? '-';
  const what = [method, name ?? uri].filter((part) => part !== undefined).join(' ');
  const ended = error === undefined ? outcome : `${outcome} ${error.code}`;
  const about = given === undefined ? [] : [shownJson(given)];
  return [time, who, what, ended, `${ms} ms`, ...about].join('  ');
}
