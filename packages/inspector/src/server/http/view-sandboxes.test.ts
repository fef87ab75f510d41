import { expect, it } from 'vitest';
import { serveInspector } from '../serve.ts';
import { ViewSandboxes } from './view-sandboxes.ts';

it('the sandbox of views is served once per port of the page, until the inspector closes', async () => {
  const sandboxes = new ViewSandboxes();
  const [url, same] = await Promise.all([sandboxes.urlFor(4000), sandboxes.urlFor(4000)]);
  expect(url).toMatch(/^http:\/\/\*\.localhost:\d+$/);
  expect(same).toBe(url);
  expect(await sandboxes.urlFor(undefined)).toBeUndefined();
  const { port } = new URL(String(url).replace('*', 'x'));
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(403);
  await sandboxes.close();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
});

it('the sandbox of views is the only allowed frame source, and its URL is sent to the page', async () => {
  const service = await serveInspector();
  const response = await fetch(service.url);
  const [, frames] = /frame-src ([^;]+)/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
  expect(frames).toMatch(/^http:\/\/\*\.localhost:\d+$/);
  const { hash } = new URL(service.url);
  const headers = { Authorization: `Bearer ${new URLSearchParams(hash.slice(1)).get('token')}` };
  const { body } = await fetch(new URL('api/events', service.url), { headers });
  const first = await body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toContain(`"sandbox":"${frames}"`);
  const notices = await fetch(new URL('THIRD-PARTY-NOTICES.txt', service.url));
  expect(notices.headers.get('content-security-policy')).toContain("frame-src 'none'");
  await service.close();
});
