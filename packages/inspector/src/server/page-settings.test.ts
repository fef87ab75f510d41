import { expect, it } from 'vitest';
import type { PageSettings } from '../shared/page-settings.ts';
import { connectPage, openPage } from './fixtures/page.ts';
import { serveInspector } from './serve.ts';

it('a page setting is sent to pages opened later, and stored for the next inspector', async () => {
  const stored: PageSettings[] = [];
  const service = await serveInspector({
    pageSettings: { saved: { theme: 'dark' }, save: (settings) => void stored.push(settings) },
  });
  const page = await connectPage(service.url);
  expect(page.hello.pageSettings).toEqual({ theme: 'dark' });
  await page.ask('set-page-settings', { pageSettings: { theme: 'light', servers: 300 } });
  expect(stored).toEqual([{ theme: 'light', servers: 300 }]);
  expect((await connectPage(service.url)).hello.pageSettings).toEqual({ theme: 'light', servers: 300 });
  await service.close();
});

it.each([undefined, null, 7, 'dark', [], { theme: 'pink', servers: '9', list: -1, timelineIs: {}, other: 1 }])(
  'uses the defaults if the stored settings are invalid: %j',
  async (saved) => {
    const page = await openPage({ pageSettings: { saved, save() {} } });
    expect(page.hello.pageSettings).toEqual({});
  },
);

it('the inspector stores valid page settings only', async () => {
  const stored: PageSettings[] = [];
  const page = await openPage({ pageSettings: { saved: {}, save: (settings) => void stored.push(settings) } });
  await page.ask('set-page-settings', {
    pageSettings: { theme: 'dark', list: Number.NaN, __proto__: 1, more: 'x' } as PageSettings,
  });
  expect(stored).toEqual([{ theme: 'dark' }]);
});

it('the inspector leaves page settings to the browser by default', async () => {
  const page = await openPage();
  expect(page.hello).not.toHaveProperty('look');
  expect(await page.ask('set-page-settings', { pageSettings: { theme: 'dark' } })).toEqual({});
});
