import { describe, expect, it } from 'vitest';
import { server } from '../../examples/app-view/dice.js';
import { hasChromium } from '../support/chromium.ts';
import { axeProblems } from './support/axe.ts';
import { colourOf } from './support/layout.ts';
import { showView } from './support/show-view.ts';

describe.skipIf(!hasChromium)('examples/app-view, in the official host', () => {
  it('shows the dice and rolls them again', async () => {
    const { frame, called, strayed, sizes, change, teardown } = await showView(server, {
      tool: 'roll',
      args: { count: 3 },
    });
    await expect.poll(() => frame.getByRole('status').textContent()).toMatch(/^[1-6] {2}[1-6] {2}[1-6]$/);
    await frame.getByRole('button', { name: 'Roll again' }).click();
    await expect.poll(() => called).toEqual(['roll']);
    const light = await colourOf(frame);
    await change({ theme: 'dark' });
    await expect.poll(() => colourOf(frame)).not.toBe(light);
    await expect.poll(async () => (await sizes()).length).toBeGreaterThan(0);
    expect(await axeProblems(frame).then((all) => all.filter((one) => /^(?:serious|critical)/.test(one)))).toEqual([]);
    expect(await teardown()).toEqual({});
    expect(strayed).toEqual([]);
  });
});
