import { expect, it, onTestFinished } from 'vitest';
import { serveInspector } from './serve.ts';

it('the inspector accepts a browser with many cookies, which it sends to all ports of this machine', async () => {
  const { url, close } = await serveInspector();
  onTestFinished(() => close());
  const cookie = Array.from({ length: 50 }, (_, index) => `other${index}=${'x'.repeat(4000)}`).join('; ');
  const { status } = await fetch(new URL('/', url), { headers: { cookie } });
  expect(status).toBe(200);
});
