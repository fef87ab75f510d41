import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { rawServer } from './raw-server.ts';

describe.skipIf(!hasChromium)('the timeline of the inspector', () => {
  it('has every message, with progress and logs inside their call, raw and with headers', async () => {
    const { page, problems } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^bake/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await page.getByText('Baked.').first().waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const call = timeline.getByRole('treeitem', { name: /tools\/call bake/ });
    await call.click();
    await page.keyboard.press('ArrowRight');
    await timeline
      .getByRole('treeitem', { name: /notifications\/progress/ })
      .first()
      .waitFor();
    const request = timeline.getByRole('treeitem', { name: /→ ?tools\/call/ }).first();
    await request.click();
    const detail = timeline.getByRole('complementary', { name: 'Message' });
    await detail.getByRole('tab', { name: 'HTTP' }).click();
    await detail
      .getByText(/mcp-protocol-version/i)
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('shows the number of entries of a list, the size of the answers, and their content', async () => {
    const input = { inputSchema: { type: 'object' } };
    const { target } = await rawServer('shop', {
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: 'shop', version: '1' },
      }),
      'tools/list': ({ cursor }) =>
        cursor === undefined
          ? { tools: [{ name: 'a', ...input }], nextCursor: '2' }
          : { tools: [{ name: 'b', ...input }] },
      'resources/list': () => ({ resources: [] }),
      'prompts/list': () => {
        throw { code: -32603, message: 'Closed on Sundays' };
      },
    });
    const { page, problems } = await openInspector({ targets: [target] });
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const listed = (method: string) => timeline.getByRole('treeitem', { name: new RegExp(`[✓✕] ?${method}`) });
    await expect.poll(() => listed('resources/list').textContent()).toMatch(/resources\/list none[1-9]\d* B/);
    await expect.poll(() => listed('prompts/list').textContent()).toMatch(/prompts\/list [1-9]\d* B/);
    await expect.poll(() => listed('tools/list').textContent()).toMatch(/tools\/list 2 entries[1-9]\d* B/);
    await listed('tools/list').click();
    const detail = timeline.getByRole('complementary', { name: 'Message' });
    await detail.getByRole('heading', { name: 'Page 2 of 2' }).waitFor();
    const second = detail.getByRole('region', { name: 'Answer 2' });
    await second.getByRole('tab', { name: 'Raw' }).click();
    await second.getByText('"tools":[{"name":"b","inputSchema":{"type":"object"}}]').waitFor();
    expect(problems).toEqual([]);
  });

  it('is grouped by call or chronological, filtered, searched, paused, and fills the window', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('treeitem', { name: /tools\/call menu/ }).waitFor();
    await timeline.getByLabel('Search messages').fill('Plum cake');
    await expect.poll(() => timeline.getByRole('treeitem').count()).toBe(1);
    await timeline.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await timeline.getByRole('button', { name: /Go on \([1-9]/ }).waitFor();
    await expect.poll(() => timeline.getByRole('treeitem').count()).toBe(1);
    await timeline.getByRole('button', { name: /Go on/ }).click();
    await timeline.getByRole('button', { name: 'in order' }).click();
    await timeline.getByLabel('Search messages').fill('');
    await timeline.getByLabel('Kind filter').selectOption('requests');
    await timeline
      .getByRole('treeitem', { name: /← ?tools\/call/ })
      .first()
      .waitFor();
    await timeline.getByRole('button', { name: 'Whole window' }).click();
    await expect.poll(() => page.getByRole('navigation').isVisible()).toBe(false);
    await timeline.getByRole('button', { name: 'Smaller' }).click();
    await expect.poll(() => page.getByRole('navigation').isVisible()).toBe(true);
  });

  it('follows new messages, stays at the scroll offset, and jumps to its end and beginning by keys', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('button', { name: 'in order' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    const callUntil = async (count: number) => {
      const done = Number(/(\d+) of/.exec(await result.innerText())?.[1] ?? 1);
      for (let next = done + 1; next <= count; next++) {
        await page.getByRole('button', { name: '▶ Call' }).click();
        await result.getByText(`${next} of ${next}`).waitFor();
        await result.getByText('schema ✓').waitFor();
      }
    };
    await page.getByRole('button', { name: '▶ Call' }).click();
    await result.getByText('schema ✓').waitFor();
    await callUntil(12);
    const seen = (what: string) =>
      page.evaluate<number>(`(({ scrollTop, scrollHeight, clientHeight }) => ${what})
        (document.querySelector('.timeline .rows'))`);
    const fromEnd = () => seen('scrollHeight - clientHeight - scrollTop');
    await expect.poll(fromEnd).toBeLessThan(24);
    await timeline.getByRole('treeitem').last().hover();
    await page.mouse.wheel(0, -200);
    await expect.poll(fromEnd).toBe(200);
    const top = await seen('scrollTop');
    await callUntil(14);
    await expect.poll(fromEnd).toBeGreaterThan(200);
    await expect.poll(() => seen('scrollTop')).toBe(top);
    await timeline.getByRole('treeitem').nth(6).click();
    for (const key of ['Home', 'End', 'Home']) {
      await page.keyboard.press(key);
      await expect.poll(() => (key === 'End' ? fromEnd() : seen('scrollTop'))).toBe(0);
      const isFocused = () => page.evaluate("document.activeElement.matches('.timeline-row[aria-selected=true]')");
      await expect.poll(isFocused).toBe(true);
    }
  });
});
