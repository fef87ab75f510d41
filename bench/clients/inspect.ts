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
  const end = async (): Promise<void> => {
    await gently(child);
    rmSync(work, { recursive: true, force: true });
  };
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
    end,
  };
}

/** Starts the least that an inspector can be. */
export async function startBareInspector(folder: string): Promise<Pick<Inspecting, 'url' | 'end'>> {
  const child = start([join(folder, 'peers/bare/inspect.cjs')]);
  return { url: await address(child), end: () => gently(child) };
}

/** Ends a command as people end it: what V8 has compiled is kept for the next start only then. */
async function gently({ process: child }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(late);
}

async function address(child: Child): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const [found] = /http:\S+/.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error('`ccmcp inspect` ended before it said its address');
}
