import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { contentAnswers, largePicture, sound } from './content-answers.ts';
import { openInspector } from './open-inspector.ts';
import { rawServer } from './raw-server.ts';

async function callTool(tool: string) {
  const { target } = await rawServer('larder', contentAnswers);
  const inspector = await openInspector({ targets: [target] });
  const { page } = inspector;
  await page.getByRole('option', { name: new RegExp(`^${tool}\\b`) }).click();
  await page.getByRole('button', { name: '▶ Call' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('✓ done').waitFor();
  return { ...inspector, result };
}

/** The file that a click on a link saves. */
async function saveFile(page: Page, click: Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

interface Media {
  readonly duration: number;
  readonly naturalWidth: number;
}

const durationOf = (element: unknown) => (element as Media).duration;
const widthOf = (element: unknown) => (element as Media).naturalWidth;

describe.skipIf(!hasChromium)('content in the inspector', () => {
  it('plays sounds, names their type and size, and saves them', async () => {
    const { page, result, problems } = await callTool('sound');
    const player = result.locator('audio');
    await expect.poll(() => player.evaluate(durationOf)).toBeCloseTo(0.5);
    await expect.poll(() => player.getAttribute('aria-label')).toMatch(/sound/i);
    await result.getByText('audio/wav · 4 kB').waitFor();
    const file = await saveFile(page, result.getByRole('link', { name: 'save' }).click());
    expect(file.bytes.equals(sound)).toBe(true);
    expect(file.name).toMatch(/\.wav$/);
    expect(problems).toEqual([]);
  });

  it('fits large pictures into their frame, and shows them in full size on request', async () => {
    const { page, result, problems } = await callTool('picture');
    const image = result.getByRole('img');
    await expect.poll(() => image.evaluate(widthOf)).toBe(2400);
    const place = await result.boundingBox();
    await expect.poll(async () => (await image.boundingBox())?.width).toBeLessThanOrEqual(place?.width ?? 0);
    await result.getByText('2400 × 1600').waitFor();
    await result.getByRole('button', { name: 'Full size' }).click();
    await expect.poll(async () => (await image.boundingBox())?.width).toBeGreaterThanOrEqual(2400);
    await expect.poll(async () => (await result.boundingBox())?.width).toBe(place?.width);
    await result.getByRole('button', { name: 'Fit' }).click();
    await expect.poll(async () => ((await image.boundingBox())?.width ?? 0) < 2400).toBe(true);
    const file = await saveFile(page, result.getByRole('link', { name: 'save' }).click());
    expect(file.bytes.equals(largePicture)).toBe(true);
    expect(problems).toEqual([]);
  });

  it('opens resource links, also to unlisted resources, and other links in a new window', async () => {
    const { page, result } = await callTool('links');
    await result.getByText('Of plums').waitFor();
    const elsewhere = result.getByRole('link', { name: 'jam elsewhere' });
    await expect.poll(() => elsewhere.getAttribute('href')).toBe('https://example.invalid/jam');
    await expect.poll(() => elsewhere.getAttribute('rel')).toContain('noopener');
    await result.getByRole('button', { name: 'jam', exact: true }).click();
    await page.getByRole('heading', { name: 'larder://jam' }).waitFor();
    await page.getByRole('button', { name: '▶ Read' }).click();
    await result.getByText('Sweet and dark.').first().waitFor();
    expect(page.url()).toContain('/resources/');
  });

  it('shows embedded texts by type, and saves embedded bytes', async () => {
    const { page, result } = await callTool('embedded');
    await result.getByRole('heading', { name: 'A note' }).waitFor();
    await result.getByText('application/zip · 15 B').waitFor();
    const file = await saveFile(page, result.getByRole('link', { name: 'save' }).click());
    expect(file).toEqual({ name: 'file.bin', bytes: Buffer.from('bytes of a file') });
  });

  it('shows unknown content as JSON, with a note', async () => {
    const { result, problems } = await callTool('strange');
    await result.getByText('Unknown content type smell').waitFor();
    await result.getByText('cinnamon').waitFor();
    await result.getByText('This content has no type').first().waitFor();
    await result.getByText('no object').waitFor();
    expect(problems).toEqual([]);
  });

  it('reports invalid base64', async () => {
    const { result, problems } = await callTool('wrong');
    await result.getByText('The data is not valid Base64.').waitFor();
    expect(problems).toEqual([]);
  });
});
