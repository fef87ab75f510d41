import { expect, it } from 'vitest';
import type { Look } from '../shared/look.ts';
import { lookAt, openPage } from './fixtures/page.ts';
import { serveInspector } from './serve.ts';

it('is sent to pages opened later, and stored for the next inspector', async () => {
  const kept: Look[] = [];
  const service = await serveInspector({ look: { last: { theme: 'dark' }, keep: (look) => void kept.push(look) } });
  const page = await lookAt(service.url);
  expect(page.hello.look).toEqual({ theme: 'dark' });
  await page.ask('set-look', { look: { theme: 'light', servers: 300 } });
  expect(kept).toEqual([{ theme: 'light', servers: 300 }]);
  expect((await lookAt(service.url)).hello.look).toEqual({ theme: 'light', servers: 300 });
  await service.close();
});

it.each([undefined, null, 7, 'dark', [], { theme: 'pink', servers: '9', list: -1, timelineIs: {}, other: 1 }])(
  'is as usual where what was kept makes no sense: %j',
  async (last) => {
    const page = await openPage({ look: { last, keep() {} } });
    expect(page.hello.look).toEqual({});
  },
);

it('stores valid settings only', async () => {
  const kept: Look[] = [];
  const page = await openPage({ look: { last: {}, keep: (look) => void kept.push(look) } });
  await page.ask('set-look', { look: { theme: 'dark', list: Number.NaN, __proto__: 1, more: 'x' } as Look });
  expect(kept).toEqual([{ theme: 'dark' }]);
});

it('is left to the browser by default', async () => {
  const page = await openPage();
  expect(page.hello).not.toHaveProperty('look');
  expect(await page.ask('set-look', { look: { theme: 'dark' } })).toEqual({});
});
