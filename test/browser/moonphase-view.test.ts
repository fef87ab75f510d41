import { compose } from '@ccmcp/core/compose';
import { moonphaseServer } from '@ccmcp/servers/moonphase';
import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { axeProblems } from './support/axe.ts';
import { colourOf, enlarge, overflowOf } from './support/layout.ts';
import { focusInFrame, type ShownView, type ShowOptions, showView } from './support/show-view.ts';

const args = { datetime: '2026-11-20T20:00' };

async function showMoon(options: Partial<ShowOptions> = {}): Promise<ShownView> {
  const server = moonphaseServer({ logLevel: 'emergency' });
  return showView(server, { tool: 'moonphase', args, reducedMotion: true, ...options });
}

async function month(options: Partial<ShowOptions> = {}): Promise<ShownView> {
  const view = await showMoon(options);
  await view.frame.getByRole('slider').waitFor();
  return view;
}

interface Canvas {
  width: number;
  getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8Array } };
}

/** Brightness of the drawn moon along its middle, at five points from left to right. */
function litParts(frame: Frame): Promise<string> {
  return frame.locator('#moon').evaluate((element) => {
    const canvas = element as unknown as Canvas;
    const parts = [0.06, 0.25, 0.5, 0.75, 0.94].map((part) => {
      const [at, half] = [Math.round(canvas.width * part), Math.round(canvas.width / 2)];
      const [red = 0, , , alpha] = canvas.getContext('2d').getImageData(at, half, 1, 1).data;
      return alpha === 0 ? 'empty' : red < 60 ? 'dark' : red > 100 ? 'lit' : 'between';
    });
    return parts.join(' ');
  });
}

describe.skipIf(!hasChromium)('the view of the moon, in the official host', () => {
  it('draws the result of the tool, and describes it in words', async () => {
    const { frame, strayed } = await month();
    await expect.poll(() => frame.getByRole('heading', { level: 1 }).textContent()).toBe('Waxing gibbous');
    await expect.poll(() => frame.locator('#when').textContent()).toBe('Fri, 20 November 2026, 20:00');
    await expect.poll(() => frame.locator('#illumination').textContent()).toBe('82%');
    await expect.poll(() => frame.locator('#age').textContent()).toBe('11.5 days');
    await expect.poll(() => frame.getByRole('img', { name: 'Waxing gibbous, 82% illuminated' }).count()).toBe(1);
    await expect.poll(() => litParts(frame)).toMatch(/^dark.*lit \S+ lit$/);
    expect(strayed).toEqual([]);
  });

  it('draws a waning moon lit on its left, and a new moon dark', async () => {
    const waning = await month({ args: { datetime: '2026-12-05T12:00' } });
    await expect.poll(() => litParts(waning.frame)).toMatch(/^lit .*dark$/);
    const none = await month({ args: { datetime: '2026-12-09T01:00' } });
    await expect.poll(() => litParts(none.frame)).toBe('dark dark dark dark dark');
  });

  it('moves through the month by its slider, and requests each day once', async () => {
    const { frame, page, client, called } = await month();
    const slider = frame.getByRole('slider', { name: 'Day of the month' });
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('20 November 2026: waxing gibbous, 82%');
    await focusInFrame(page, slider);
    for (const [key, day] of [
      ['ArrowRight', '21'],
      ['End', '30'],
      ['Home', '01'],
    ] as const) {
      await slider.press(key);
      const { structuredContent } = await client.callTool('moonphase', {
        datetime: `2026-11-${day}T20:00`,
        picture: false,
      });
      const { phase, illumination_percent: lit, age_days: age } = structuredContent as Record<string, unknown>;
      await expect.poll(async () => (await frame.locator('#phase').textContent())?.toLowerCase()).toBe(phase);
      await expect.poll(() => frame.locator('#illumination').textContent()).toBe(`${String(lit)}%`);
      await expect.poll(() => frame.locator('#age').textContent()).toBe(`${(age as number).toFixed(1)} days`);
    }
    await frame.getByRole('button', { name: 'Back to 20 Nov' }).click();
    await frame.getByText('Fri, 20 November 2026').waitFor();
    expect(called).toEqual(['moonphases']);
  });

  it('moves to other months and to the next phases, and back without new requests', async () => {
    const { frame, called } = await month();
    await expect
      .poll(() => frame.locator('#next li').allTextContents())
      .toEqual([
        expect.stringMatching(/^Full moonTue 24 Nov, 14:5[34]/),
        expect.stringMatching(/^Last quarterTue 1 Dec/),
        expect.stringMatching(/^New moonWed 9 Dec/),
        expect.stringMatching(/^First quarterThu 17 Dec/),
      ]);
    await frame.getByRole('button', { name: 'Last quarter' }).click();
    await frame.getByRole('heading', { name: 'December 2026' }).waitFor();
    await expect.poll(() => frame.locator('#illumination').textContent()).toMatch(/^(?:49|50|51)%$/);
    await frame.getByRole('button', { name: 'Back to 20 Nov' }).click();
    await frame.getByRole('heading', { name: 'November 2026' }).waitFor();
    for (const name of ['December 2026', 'January 2027']) {
      await frame.getByRole('button', { name: 'Later month' }).click();
      await frame.getByRole('heading', { name }).waitFor();
    }
    for (const name of ['December 2026', 'November 2026']) {
      await frame.getByRole('button', { name: 'Earlier month' }).click();
      await frame.getByRole('heading', { name }).waitFor();
    }
    // November, December at the time of the quarter, December, January.
    expect(called).toHaveLength(4);
  });

  it('uses the theme, the style variables, the locale and the time zone of the host', async () => {
    const { frame, change } = await month({ theme: 'light' });
    const light = await colourOf(frame);
    await change({ theme: 'dark' });
    await expect.poll(() => colourOf(frame)).not.toBe(light);
    await change({ theme: 'dark', styles: { variables: { '--color-background-primary': 'rgb(1, 2, 3)' } } });
    await expect.poll(() => colourOf(frame)).toBe('rgb(1, 2, 3)');
    await change({ theme: 'dark', locale: 'de-DE', timeZone: 'Pacific/Auckland' });
    await expect.poll(() => frame.locator('#when').textContent()).toBe('Sa., 21. November 2026, 09:00');
    await expect.poll(() => frame.getByRole('slider').inputValue()).toBe('21');
  });

  it("numbers the chosen day at any width, in the numerals of the host's language", async () => {
    const { frame, page } = await month({ width: 320, context: { locale: 'ar-EG' } });
    const numbers = (): Promise<string[]> => frame.locator('#days text:not([hidden])').allTextContents();
    await expect.poll(numbers).toEqual(['١', '٨', '١٥', '٢٠', '٢٩']);
    await focusInFrame(page, frame.getByRole('slider'));
    await page.keyboard.press('End');
    await expect.poll(numbers).toEqual(['١', '٨', '١٥', '٢٢', '٣٠']);
    await page.setViewportSize({ width: 900, height: 900 });
    await expect.poll(async () => (await numbers()).length).toBe(30);
  });

  it('reports its size, fits a narrow frame and large fonts, and closes', async () => {
    const { frame, page, sizes, teardown } = await month({ width: 800, fits: true });
    await expect.poll(async () => (await sizes()).at(-1)?.height).toBeGreaterThan(350);
    const wide = (await sizes()).at(-1)?.height ?? 0;
    await page.setViewportSize({ width: 280, height: 900 });
    await expect.poll(async () => (await sizes()).at(-1)?.height).toBeGreaterThan(wide);
    await expect.poll(() => overflowOf(frame)).toBe(0);
    await page.setViewportSize({ width: 640, height: 900 });
    await enlarge(frame);
    await expect.poll(() => overflowOf(frame)).toBe(0);
    expect(await teardown()).toEqual({});
  });

  it('reports an error and retries; the content remains', async () => {
    let fails = true;
    const { frame } = await showMoon({
      around: (_, __, call) => {
        return fails ? Promise.resolve({ content: [{ type: 'text', text: 'Clouds' }], isError: true }) : call();
      },
    });
    await frame.getByRole('alert').getByText('Clouds').waitFor();
    await expect.poll(() => frame.getByRole('heading', { level: 1 }).textContent()).toBe('Waxing gibbous');
    fails = false;
    await frame.getByRole('button', { name: 'Try again' }).click();
    await frame.getByRole('slider').waitFor();
    await expect.poll(() => frame.getByRole('alert').count()).toBe(0);
  });

  it('shows the result if a host allows views no calls, and the text of a failed tool', async () => {
    const { frame, called } = await showMoon({ capabilities: {} });
    await frame.getByText('Waxing gibbous').waitFor();
    await expect.poll(() => frame.getByRole('slider').count()).toBe(0);
    expect(called).toEqual([]);
    const failed = await showMoon({ args: { datetime: 'yesterday' } });
    await failed.frame.getByRole('alert').getByText("can't be read").waitFor();
    await expect
      .poll(() => failed.frame.getByRole('heading', { name: 'There is no moon to show' }).isVisible())
      .toBe(true);
    await expect.poll(() => failed.frame.getByRole('img').count()).toBe(0);
    await expect.poll(() => failed.frame.getByText('Illuminated').isVisible()).toBe(false);
    expect(await axeProblems(failed.frame)).toEqual([]);
  });

  it('stops at the first year and the last', async () => {
    for (const [datetime, name] of [
      ['0000-03-09', 'March 1 BC'],
      ['9999-12-31T23:00Z', 'December 9999'],
    ] as const) {
      const { frame } = await month({ args: { datetime } });
      await expect.poll(() => frame.locator('#month-name').textContent()).toBe(name);
      await expect.poll(() => frame.locator('#when').getAttribute('datetime')).toMatch(datetime.slice(0, 10));
      await expect.poll(() => frame.getByRole('button', { name: /^Back/ }).isVisible()).toBe(false);
    }
  });

  it('truncates long error messages', async () => {
    const text = `Clouds${' and rain'.repeat(1000)}`;
    const { frame } = await showMoon({
      around: () => Promise.resolve({ content: [{ type: 'text', text }], isError: true }),
    });
    await frame.getByRole('alert').getByText('Clouds').waitFor();
    expect((await frame.locator('#problem-text').textContent())?.length).toBeLessThan(500);
  });

  it('finds its tools if its server is part of another', async () => {
    const server = compose(
      { moon: { server: moonphaseServer({ logLevel: 'emergency' }), prefix: 'sky_' } },
      { name: 'whole', version: '1' },
    );
    const view = await showView(server, { tool: 'sky_moonphase', args, reducedMotion: true });
    await view.frame.getByRole('slider').waitFor();
    expect(view.called).toEqual(['sky_moonphases']);
  });

  it('has no problem for axe, in a light host and in a dark one', async () => {
    const { frame, change } = await month({ theme: 'light' });
    const light = await colourOf(frame);
    expect(await axeProblems(frame)).toEqual([]);
    await change({ theme: 'dark' });
    await expect.poll(() => colourOf(frame)).not.toBe(light);
    expect(await axeProblems(frame)).toEqual([]);
  });
});
