import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Child, start } from '../child.ts';

/** A server of a page. */
export interface Started {
  /** The address for a browser. */
  readonly url: string;
  end(): Promise<void>;
}

/** `ccmcp inspect`. */
export interface Inspecting extends Started {
  /** Calls the tool `echo` of the inspected server. */
  echo(message: string): Promise<void>;
}

/** Starts the command in an empty folder, and waits for its address. */
export async function startInspect(folder: string, words: readonly string[]): Promise<Inspecting> {
  const work = mkdtempSync(join(tmpdir(), 'ccmcp-inspect-'));
  const program = join(folder, 'peers/node_modules/ccmcp/dist/main.cjs');
  const env = { CCMCP_INSPECTOR: join(work, 'state') };
  const child = start([program, 'inspect', '--no-open', ...words], { cwd: work, env });
  const url = await printedAddress(child);
  const { origin, hash } = new URL(url);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return {
    url,
    async echo(message) {
      const params = { name: 'echo', arguments: { message } };
      const answer = await fetch(`${origin}/api/call`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ connection: 's1', method: 'tools/call', params }),
      });
      if (!answer.ok) throw new Error(`The inspector rejected a call: ${await answer.text()}`);
    },
    async end() {
      await terminate(child);
      rmSync(work, { recursive: true, force: true });
    },
  };
}

/** Ends a command with SIGTERM: only then does V8's code cache stay for the next start. */
async function terminate({ process: child }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(late);
}

async function printedAddress(child: Child): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const [found] = /http:\S+/.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error('The program exited before it printed its address');
}
