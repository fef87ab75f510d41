import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { serveAppSandbox } from '@ccmcp/core/apps-sandbox';
import { build } from 'esbuild';
import type { Frame, Page } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import { openWindow } from '../../support/chromium.ts';
import { listening } from '../../support/listening.ts';

/** An entry that the host page recorded. */
export interface Noted {
  readonly kind: string;
  readonly what: Record<string, unknown>;
}

type Answer = (params: Record<string, unknown>) => unknown;

interface StageOptions {
  /** Documents of views, by the last segment of their URI. */
  readonly views: Record<string, string>;
  /** `_meta.ui` of all views. */
  readonly meta?: object;
  /** Further responses of the server, by method. */
  readonly server?: Record<string, Answer>;
}

/** Bundles a script for a page, with all its imports. */
export async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    target: 'es2022',
    conditions: ['ccmcp-source'],
    logLevel: 'error',
  });
  return (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script');
}

/** A document with a script. */
export function documentWith(script: string, body = ''): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>View</title></head><body>${body}<script>${script}</script></body></html>`;
}

const waiting = { timeout: 60_000, interval: 50 };

/** Timeouts for hung views only: a busy machine must not trigger them. */
const polling = { initializeMs: 60_000, silenceMs: 60_000, teardownMs: 60_000 };

let hostScript: Promise<string> | undefined;

/** A browser page that shows views of a server, with a sandbox. */
export class Stage {
  readonly page: Page;
  readonly sandboxUrl: string;
  readonly origin: string;
  /** Requests to the server. */
  readonly asked: { method: string; params: Record<string, unknown> }[];

  private constructor(page: Page, sandboxUrl: string, origin: string, asked: Stage['asked']) {
    this.page = page;
    this.sandboxUrl = sandboxUrl;
    this.origin = origin;
    this.asked = asked;
  }

  static async open({ views, meta, server = {} }: StageOptions): Promise<Stage> {
    hostScript ??= bundled('./host-page.js');
    const html = `<!doctype html><title>Host</title><body><script>${await hostScript}</script>`;
    const url = await listening(
      createServer((_, response) => response.setHeader('content-type', 'text/html').end(html)),
    );
    const { origin } = new URL(url);
    const sandbox = await serveAppSandbox({ hosts: [origin] });
    onTestFinished(() => sandbox.close());
    const page = await (await openWindow()).newPage();
    const asked: Stage['asked'] = [];
    await page.exposeFunction('serverRequest', async (method: string, params: Record<string, unknown>) => {
      asked.push({ method, params });
      const answer = server[method];
      if (method === 'resources/read' && answer === undefined) return readView(views, meta, params.uri as string);
      if (answer === undefined) throw new Error(`The server has no ${method}`);
      return answer(params);
    });
    await page.goto(origin);
    return new Stage(page, sandbox.url, origin, asked);
  }

  /** Shows a view, by the last segment of its URI. */
  async show(name: string, options: Record<string, unknown> = {}): Promise<ShownOnStage> {
    const given = { sandboxUrl: this.sandboxUrl, resourceUri: `ui://test/${name}`, ...polling, ...options };
    const index = (await this.page.evaluate(`stage.show(${JSON.stringify(given)})`)) as number;
    return new ShownOnStage(this, index);
  }

  /** Recorded entries of one kind. */
  async noted(kind: string): Promise<Noted['what'][]> {
    const seen = (await this.page.evaluate('stage.seen')) as Noted[];
    return seen.filter((each) => each.kind === kind).map(({ what }) => what);
  }

  /** Waits for a recorded entry that matches. */
  async until(kind: string, like: object): Promise<void> {
    const wanted = expect.objectContaining(like) as { asymmetricMatch(other: unknown): boolean };
    const isThere = async () => (await this.noted(kind)).some((each) => wanted.asymmetricMatch(each));
    await vi.waitUntil(isThere, waiting).catch(async () => {
      const noted = JSON.stringify(await this.noted(kind)).slice(0, 2000);
      throw new Error(`Nothing like ${JSON.stringify(like)} was noted as ${kind}, but ${noted}`);
    });
  }
}

/** A view on the stage. */
export class ShownOnStage {
  readonly #stage: Stage;
  readonly #index: number;

  constructor(stage: Stage, index: number) {
    this.#stage = stage;
    this.#index = index;
  }

  /** Evaluates an expression with `view`, in the host page. */
  async run(expression: string): Promise<unknown> {
    const call = `(async (view) => (${expression}))(stage.views[${this.#index}])`;
    // As a value: the stack of an error in a page names files that don't exist.
    const answer = (await this.#stage.page.evaluate(
      `${call}.then((value) => ({ value }), ({ message }) => ({ message }))`,
    )) as { value?: unknown; message?: string };
    if (answer.message !== undefined) throw new Error(answer.message);
    return answer.value;
  }

  ready(): Promise<unknown> {
    return this.run('view.ready');
  }

  state(): Promise<unknown> {
    return this.run('view.state');
  }

  /** The frame of the view, inside that of its proxy. */
  async frame(): Promise<Frame> {
    const proxy = await this.proxy();
    await vi.waitUntil(() => proxy.childFrames().length === 1, waiting);
    return proxy.childFrames()[0] as Frame;
  }

  async proxy(): Promise<Frame> {
    const frames = (): Frame[] => this.#stage.page.mainFrame().childFrames();
    await vi.waitUntil(() => frames().length > 0, waiting);
    return frames().at(-1) as Frame;
  }
}

function readView(views: Record<string, string>, meta: object | undefined, uri: string): object {
  const text = views[uri.slice('ui://test/'.length)];
  if (text === undefined) throw new Error('There is no such resource');
  const ui = meta === undefined ? {} : { _meta: { ui: meta } };
  return { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text, ...ui }] };
}
