import { serveHttp } from '@ccmcp/core/http';
import type { Server } from '@ccmcp/core';
import { type OfferedTarget, serveInspector, type ServeInspectorOptions } from '@ccmcp/inspector';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openWindow } from '../../support/chromium.ts';

/** A server that runs beside the inspector and is connected over HTTP at its start. */
export async function overHttp(
  label: string,
  server: Server,
  origin: OfferedTarget['origin'] = 'given',
): Promise<OfferedTarget> {
  const service = await serveHttp(server);
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return { label, kind: 'url', origin, resolve: async () => ({ kind: 'url', url: service.url, label }) };
}

/** Opens the page of an inspector in a window, and collects its errors. */
export async function openInspector(
  options: ServeInspectorOptions,
  window: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[]; close: () => Promise<void> }> {
  const service = await serveInspector(options);
  onTestFinished(() => service.close());
  const opened = await openWindow({ viewport: { width: 1440, height: 900 }, ...window });
  const page = await opened.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(service.url);
  return { page, problems, close: () => service.close() };
}
