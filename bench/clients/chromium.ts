import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../bench.ts';

const names = [process.env.CHROMIUM_PATH, 'chromium', 'chromium-browser', 'google-chrome'];

/** Headless, without background activity. */
const flags = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--window-size=1440,900',
];

/** The installed Chromium, if there is one. */
export function findChromium(): { name: string; version: string } | undefined {
  for (const name of names) {
    if (!name) continue;
    const { status, stdout } = spawnSync(name, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (status === 0) return { name, version: /[\d.]+/.exec(stdout)?.[0] ?? '' };
  }
  return undefined;
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

type Given = Readonly<Record<string, unknown>>;

/** No browser outlives the benchmark. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** A browser with one page, controlled by the DevTools protocol without a library. */
export class Chromium {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, (answer: Answer) => void>();
  readonly #listeners = new Map<string, (params: Given) => void>();
  #session: string | undefined;
  #last = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    let rest = '';
    const output = child.stdio[4] as Readable;
    output.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop() ?? '';
      for (const part of parts) this.#take(JSON.parse(part) as Answer);
    });
    child.once('exit', () => {
      for (const resolve of this.#open.values()) resolve({ error: { message: 'Chromium has ended' } });
    });
    for (const stream of child.stdio) stream?.on('error', () => {});
  }

  /** Starts it with an address, and attaches to the page. The profile is reused. */
  static async start(name: string, profile: string, address: string): Promise<Chromium> {
    // Chromium's sandbox does not work as root.
    const own = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const child = spawn(name, [...flags, ...own, `--user-data-dir=${profile}`, address], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    alive.add(child);
    child.once('exit', () => alive.delete(child));
    const chromium = new Chromium(child);
    const found = new Promise<string>((resolve) => {
      chromium.on('Target.targetCreated', ({ targetInfo }) => {
        const { type, targetId } = targetInfo as { type: string; targetId: string };
        if (type === 'page') resolve(targetId);
      });
    });
    await chromium.#ask('Target.setDiscoverTargets', { discover: true });
    const { sessionId } = await chromium.#ask('Target.attachToTarget', { targetId: await found, flatten: true });
    chromium.#session = sessionId as string;
    return chromium;
  }

  /** Calls with each event of this name. */
  on(event: string, listener: (params: Given) => void): void {
    this.#listeners.set(event, listener);
  }

  /** Sends a command to the page. */
  page(method: string, params: object = {}): Promise<Given> {
    return this.#ask(method, params, this.#session);
  }

  /** Evaluates an expression in the page, and awaits it. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.page('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined) throw new Error(`In the page: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: Value }).value;
  }

  /** Waits until an expression is true in the page and drawn. */
  waitFor(expression: string): Promise<void> {
    return withTimeout(`Chromium, for ${expression}`, this.#poll(expression));
  }

  async #poll(expression: string): Promise<void> {
    const holds = `new Promise((resolve) => {
      const look = () => ((${expression}) ? requestAnimationFrame(() => setTimeout(resolve)) : requestAnimationFrame(look));
      look();
    })`;
    // Navigation destroys the context of an evaluation.
    for (;;) {
      try {
        return await this.evaluate<void>(holds);
      } catch (error) {
        if (this.#child.exitCode !== null || !/context|navigated/.test(String(error))) throw error;
        await delay(2);
      }
    }
  }

  /** The page's live heap after a collection, and private memory of its process, in megabytes. */
  async memory(): Promise<{ heapMb: number; privateMb: number }> {
    await this.page('HeapProfiler.enable');
    await this.page('HeapProfiler.collectGarbage');
    const { usedSize } = await this.page('Runtime.getHeapUsage');
    await this.page('HeapProfiler.disable');
    const { processInfo } = await this.#ask('SystemInfo.getProcessInfo', {});
    const renderers = (processInfo as { type: string; id: number }[]).filter(({ type }) => type === 'renderer');
    const privateMb = Math.max(...renderers.map(({ id }) => anonymousMb(id)));
    return { heapMb: Number(usedSize) / 1024 / 1024, privateMb };
  }

  /** Presses a key: a letter, or a named one. */
  async press(key: string): Promise<void> {
    const codes: Readonly<Record<string, number>> = { Escape: 27, End: 35, Home: 36 };
    const code = codes[key];
    const what = code === undefined ? { text: key } : { windowsVirtualKeyCode: code, code: key };
    await this.page('Input.dispatchKeyEvent', { type: 'keyDown', key, ...what });
    await this.page('Input.dispatchKeyEvent', { type: 'keyUp', key, ...what });
  }

  /** Moves, presses or releases the mouse, or turns its wheel. */
  async mouse(type: 'mouseMoved' | 'mousePressed' | 'mouseReleased' | 'mouseWheel', at: object): Promise<void> {
    await this.page('Input.dispatchMouseEvent', { type, button: 'left', clickCount: 1, deltaX: 0, deltaY: 0, ...at });
  }

  /** Closes it and waits until it is gone. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    // Closed like this, it leaves a profile that can be reused.
    void this.#ask('Browser.close', {}).catch(() => {});
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await gone;
    clearTimeout(late);
  }

  async #ask(method: string, params: object, sessionId?: string): Promise<Given> {
    const id = ++this.#last;
    const answered = new Promise<Answer>((resolve) => this.#open.set(id, resolve));
    const text = JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) });
    (this.#child.stdio[3] as Writable).write(`${text}\0`);
    const { result = {}, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  #take({ id, method, params, ...answer }: Answer): void {
    if (id === undefined) return this.#listeners.get(method ?? '')?.(params ?? {});
    this.#open.get(id)?.(answer);
    this.#open.delete(id);
  }
}

function anonymousMb(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
