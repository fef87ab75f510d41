import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { Stage } from './stage.ts';

const guide = readFileSync(new URL('../../../docs/apps.md', import.meta.url), 'utf8');
const [, page = ''] = /^```html\n(.*?)^```$/ms.exec(guide) ?? [];

it.skipIf(!hasChromium)('the page of the guide shows the dice, answers its host and closes', async () => {
  const stage = await Stage.open({ views: { dice: page } });
  const view = await stage.show('dice');
  await view.run('[view.toolInput({}), view.toolResult({ content: [], structuredContent: { rolled: [3, 4] } })]');
  await view.ready();
  const frame = await view.frame();
  await expect.poll(() => frame.locator('#dice').textContent()).toBe('3 and 4');
  expect(await view.run('view.ping()')).toBeUndefined();
  await view.run("view.close('enough')");
  expect(await stage.noted('problem')).toEqual([]);
  expect(await stage.noted('report')).toEqual([]);
  const asked = (await stage.noted('host')).find(({ method }) => method === 'ui/resource-teardown');
  expect(await stage.noted('view')).toContainEqual({ jsonrpc: '2.0', id: asked?.id, result: {} });
});
