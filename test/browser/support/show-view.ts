import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Server } from '@ccmcp/core';
import { appsClient } from '@ccmcp/core/apps';
import { type TestClient, testClient } from '@ccmcp/core/testing';
import { build } from 'esbuild';
import type { Frame, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openWindow } from '../../support/chromium.ts';
import { listening } from '../../support/listening.ts';
import { toolUiOf } from '../../../packages/core/src/features/apps/view-meta.ts';
import { isOurs } from './requests.ts';

/** The policy of hosts for views that declare no origins. */
const policy = [
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
  "font-src 'self'; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'",
].join('; ');

/** At least as high as the window: a frame that grows during a click moves the click target. */
const page = (fits: boolean): string => `<!doctype html><title>Host</title>
<style>body { margin: 0 } iframe { border: 0; width: 100%; height: 100px; ${fits ? '' : 'min-height: 100vh;'} display: block }</style>
<iframe sandbox="allow-scripts" title="View"></iframe><script type="module" src="/host.js"></script>`;

export interface ShowOptions {
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  readonly context?: object;
  readonly capabilities?: object;
  readonly reducedMotion?: boolean;
  /** Device pixel ratio. Default: 1. */
  readonly scale?: number;
  /** The frame is exactly as high as the view reports. Default: at least as high as the window. */
  readonly fits?: boolean;
  /** Replaces calls of the view, or changes their results. */
  readonly around?: (name: string, args: Record<string, unknown>, call: () => Promise<object>) => Promise<object>;
}

/** A view in the official host, and its server. */
export interface ShownView {
  readonly page: Page;
  readonly frame: Frame;
  readonly client: TestClient;
  /** Names of the tools that the view called. */
  readonly called: string[];
  /** Requests to other hosts, and console errors. */
  readonly strayed: string[];
  sizes(): Promise<{ height?: number }[]>;
  change(context: object): Promise<void>;
  teardown(): Promise<unknown>;
}

let script: Promise<string> | undefined;

async function hostScript(): Promise<string> {
  const entry = fileURLToPath(new URL('../page/official-host.ts', import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  return outputFiles[0]?.text ?? '';
}

/** Shows the view of a tool in the official host: calls the tool, opens its view, and hands it the result. */
export async function showView(server: Server, options: ShowOptions): Promise<ShownView> {
  const { tool, args = {}, width = 800, theme = 'light', context = {}, fits = false, around } = options;
  const client = await testClient(server, { extensions: [appsClient] });
  const listing = (await client.listTools().all()).find(({ name }) => name === tool);
  const { resourceUri } = toolUiOf(listing ?? {});
  const [document] = (await client.readResource(resourceUri ?? '')).contents as unknown as [{ text: string }];
  script ??= hostScript();
  const [code, called, strayed] = [await script, [] as string[], [] as string[]];

  const url = await listening(
    createServer((request, response) => {
      if (request.url === '/host.js') response.setHeader('content-type', 'text/javascript').end(code);
      else if (request.url === '/') response.setHeader('content-type', 'text/html').end(page(fits));
      else if (request.url === '/view') {
        response.setHeader('content-security-policy', policy).setHeader('content-type', 'text/html; charset=utf-8');
        response.end(document.text);
      } else response.writeHead(404).end();
    }),
  );
  const window = await openWindow({
    viewport: { width, height: 900 },
    deviceScaleFactor: options.scale ?? 1,
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...(options.reducedMotion && { reducedMotion: 'reduce' }),
  });
  const shown = await window.newPage();
  shown.on('request', (request) => isOurs(request.url(), url) || strayed.push(request.url()));
  shown.on('pageerror', (error) => strayed.push(error.message));
  shown.on(
    'console',
    (message) => message.type() === 'error' && !/404/.test(message.text()) && strayed.push(message.text()),
  );
  await shown.exposeFunction(
    'callServer',
    ({ name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> }) => {
      called.push(name);
      const call = (): Promise<object> => client.callTool(name, given);
      return around === undefined ? call() : around(name, given, call);
    },
  );
  await shown.goto(url);
  const { capabilities = { serverTools: {} } } = options;
  const told: object = {
    theme,
    locale: 'en-GB',
    timeZone: 'UTC',
    ...(listing && { toolInfo: { tool: listing } }),
    ...context,
  };
  await shown.evaluate(([first, second]) => (globalThis as unknown as HostPage).host.open(first, second), [
    told,
    capabilities,
  ] as [object, object]);
  const result = await client.callTool(tool, args);
  await shown.evaluate(
    async ([input, output]) => {
      const { bridge } = (globalThis as unknown as HostPage).host;
      await bridge.sendToolInput({ arguments: input });
      await bridge.sendToolResult(output);
    },
    [args, result] as [object, object],
  );
  const frame = shown.frames()[1] as Frame;
  return {
    page: shown,
    frame,
    client,
    called,
    strayed,
    sizes: () => shown.evaluate(() => (globalThis as unknown as HostPage).host.sizes),
    change: (news) =>
      shown.evaluate((all) => (globalThis as unknown as HostPage).host.bridge.setHostContext(all), {
        ...told,
        ...news,
      }),
    teardown: () => shown.evaluate(() => (globalThis as unknown as HostPage).host.bridge.teardownResource({})),
  };
}

/** Focuses an element of a frame, and waits until the page has the focus too. */
export async function focusInFrame(page: Page, element: Locator): Promise<void> {
  await element.focus();
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('IFRAME');
}

interface HostPage {
  host: {
    open(context: object, capabilities: object): Promise<void>;
    sizes: { height?: number }[];
    bridge: {
      sendToolInput(params: object): Promise<void>;
      sendToolResult(params: object): Promise<void>;
      setHostContext(context: object): void;
      teardownResource(params: object): Promise<unknown>;
    };
  };
}
