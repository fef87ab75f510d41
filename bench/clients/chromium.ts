import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../bench.ts';

const names = [process.env.CHROMIUM_PATH, 'chromium', 'chromium-browser', 'google-chrome'];

/** As people have it but for the window: nothing that the browser would like to do by itself is on. */
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

/** The name of the Chromium on this machine and its version, or undefined where there is none. */
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

/** Whatever happens to the benchmark, no browser may outlive it. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** A browser with one page, told what to do over its protocol for developers. */
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

  /** Starts it with an address, and is ready as soon as it has the page. The profile is kept for the next time. */
  static async start(name: string, profile: string, address: string): Promise<Chromium> {
    // The sandbox of Chromium can't be had as root.
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

  /** Does something in the page. */
  page(method: string, params: object = {}): Promise<Given> {
    return this.#ask(method, params, this.#session);
  }

  /** Goes to an address, and is done when the page there is loaded. */
  async go(url: string): Promise<void> {
    await this.page('Page.enable');
    const loaded = new Promise<void>((resolve) => this.on('Page.loadEventFired', () => resolve()));
    await this.page('Page.navigate', { url });
    await loaded;
  }

  /** What an expression gives in the page; promises are waited for. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.page('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined) throw new Error(`In the page: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: Value }).value;
  }

  /** Waits until an expression holds in the page and that is drawn; not for ever. */
  until(expression: string): Promise<void> {
    return within(`Chromium, for ${expression}`, this.#until(expression));
  }

  async #until(expression: string): Promise<void> {
    const holds = `new Promise((resolve) => {
      const look = () => ((${expression}) ? requestAnimationFrame(() => setTimeout(resolve)) : requestAnimationFrame(look));
      look();
    })`;
    // What was asked of a page is lost where the browser goes to another.
    for (;;) {
      try {
        return await this.evaluate<void>(holds);
      } catch (error) {
        if (this.#child.exitCode !== null || !/context|navigated/.test(String(error))) throw error;
        await delay(2);
      }
    }
  }

  /** Live heap of the page after what is garbage is gone, and memory of its process that is nobody else's, in megabytes. */
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

  /** Presses a key: a letter, which is typed, or one with a name. */
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

  /** Ends it and waits until it is gone. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    // Asked to, it leaves a profile that the next one can use.
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
