import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { hasChromium, openWindow } from '../support/chromium.ts';
import { listening } from '../support/listening.ts';

it.skipIf(!hasChromium)('shows a page', async () => {
  const url = await listening(
    createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>There</title>');
    }),
  );
  const page = await (await openWindow()).newPage();
  await page.goto(url);
  expect(await page.title()).toBe('There');
});
