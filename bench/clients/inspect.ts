import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Child, start } from '../child.ts';

/** `ccmcp inspect`, as a project has it. */
export interface Inspecting {
  readonly child: Child;
  /** The address that a browser opens. */
  readonly url: string;
  /** Calls the tool `echo` of the server that was given. */
  echo(message: string): Promise<void>;
  end(): Promise<void>;
}

/** Starts the command in an empty folder, and is ready when it says its address. */
export async function startInspect(folder: string, words: readonly string[]): Promise<Inspecting> {
  const work = mkdtempSync(join(tmpdir(), 'ccmcp-inspect-'));
  const program = join(folder, 'peers/node_modules/ccmcp/dist/main.cjs');
  const child = start([program, 'inspect', '--no-open', ...words], {
    cwd: work,
    env: { CCMCP_INSPECTOR: join(work, 'state') },
  });
  const url = await address(child);
  const { origin, hash } = new URL(url);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return {
    child,
    url,
    async echo(message) {
      const answer = await fetch(`${origin}/api/call`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          connection: 's1',
          method: 'tools/call',
          params: { name: 'echo', arguments: { message } },
        }),
      });
      if (!answer.ok) throw new Error(`The inspector does not call: ${await answer.text()}`);
    },
    async end() {
      // As people end it: what V8 has compiled is kept for the next start only then.
      child.process.kill('SIGTERM');
      const late = setTimeout(() => child.process.kill('SIGKILL'), 5000);
      if (child.process.exitCode === null && child.process.signalCode === null) await once(child.process, 'exit');
      clearTimeout(late);
      rmSync(work, { recursive: true, force: true });
    },
  };
}

async function address(child: Child): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const [found] = /http:\S+#token=[\w-]+/.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error('`ccmcp inspect` ended before it said its address');
}
