import type { OfferedTarget } from '@ccmcp/inspector';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { openInspector } from './open-inspector.ts';
import { everything, everythingOverHttp } from './other-servers.ts';

async function openTarget(target: OfferedTarget) {
  const { page, problems } = await openInspector({ targets: [target] });
  const section = (name: string) => page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}`) });
  return {
    page,
    problems,
    section,
    result: page.getByRole('region', { name: 'Result' }),
    question: page.getByRole('region', { name: 'Question of everything' }),
    call: async (tool: string, fill?: () => Promise<unknown>) => {
      await section('Tools').click();
      await page.getByRole('option', { name: new RegExp(`^${tool} `) }).click();
      await fill?.();
      await page.getByRole('button', { name: '▶ Call' }).click();
    },
  };
}

const choose = (page: Page | Locator, name: string, word: string): Promise<void> =>
  page.getByRole('radiogroup', { name }).getByText(word, { exact: true }).click();

describe.skipIf(!hasChromium).each([
  ['stdio', async () => everything()],
  ['HTTP', everythingOverHttp],
])('the inspector with server-everything over %s', (_, target) => {
  it('shows every kind of content', async () => {
    const { page, problems, call, result } = await openTarget(await target());
    await call('echo', () => page.getByRole('textbox', { name: 'message' }).fill('Hello there'));
    await result.getByText('Hello there').first().waitFor();

    await call('get-annotated-message', async () => {
      await page.getByLabel('messageType').selectOption('error');
      await choose(page, 'includeImage', 'true');
    });
    await result.getByText('for user and assistant · priority 1').waitFor();
    await result.getByText('image/png').waitFor();
    await expect
      .poll(() =>
        result.getByRole('img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(0);

    await call('get-structured-content', () => page.getByLabel('location').selectOption('Chicago'));
    await result.getByText('schema ✓').waitFor();
    await result.getByText('temperature').waitFor();

    await call('get-resource-reference');
    await result.getByRole('button', { name: 'demo://resource/dynamic/text/1' }).waitFor();
    await result.getByText('Resource 1: This is a plaintext resource').waitFor();

    await call('gzip-file-as-resource', async () => {
      await page.getByLabel('data').fill('data:text/plain,hello');
      await page.getByLabel('outputType').selectOption('resource');
    });
    await result.getByText('application/gzip').first().waitFor();
    await result.getByRole('link', { name: 'save' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('reads a linked resource with one click, though it is unlisted', async () => {
    const { page, problems, call, result } = await openTarget(await target());
    await call('get-resource-links');
    await result.getByRole('button', { name: 'Text Resource 2' }).click();
    await page.getByRole('heading', { name: 'demo://resource/dynamic/text/2' }).waitFor();
    await result.getByText('Resource 2: This is a plaintext resource').waitFor();
    expect(problems).toEqual([]);
  });

  it('asks with all kinds of fields, with the defaults filled in', async () => {
    const { page, problems, call, question, result } = await openTarget(await target());
    await call('trigger-elicitation-request');
    await question.getByLabel('String *').fill('Ada');
    const integer = question.getByRole('textbox', { name: 'Integer' });
    await expect.poll(() => integer.inputValue()).toBe('42');
    await integer.fill('7');
    await choose(question, 'Boolean', 'true');
    await question.getByRole('textbox', { name: 'email' }).fill('ada@example.com');
    await question.getByLabel('Titled Single Select Enum', { exact: true }).selectOption('Wonder Woman');
    const instruments = question.getByRole('group', { name: 'Untitled Multiple Select Enum' });
    await expect.poll(() => instruments.getByLabel('Guitar').isChecked()).toBe(true);
    await instruments.getByLabel('Piano').check();
    await question
      .getByRole('group', { name: 'Titled Multiple Select Enum', exact: true })
      .getByLabel('Salmon')
      .check();
    await expect
      .poll(() => question.getByRole('combobox', { name: 'Legacy Titled' }).locator('option:checked').innerText())
      .toBe('Cats');
    await question.getByRole('button', { name: 'Answer' }).click();
    await result.getByText('Favorite Integer: 7').waitFor();
    const raw = await result.getByText('Raw result').innerText();
    const { content } = JSON.parse(raw.slice(raw.indexOf('{'))) as { content: unknown };
    expect(content).toMatchObject({
      name: 'Ada',
      check: true,
      email: 'ada@example.com',
      integer: 7,
      number: 3.14,
      untitledMultipleSelectEnum: ['Guitar', 'Piano'],
      titledSingleSelectEnum: 'hero-3',
      titledMultipleSelectEnum: ['fish-1', 'fish-2'],
      legacyTitledEnum: 'pet-1',
    });
    expect(page.url()).toContain('#/everything/tools/trigger-elicitation-request');
    expect(problems).toEqual([]);
  });

  it('answers sampling and URL elicitation, also if a call is rejected until then', async () => {
    const { page, problems, call, question, result } = await openTarget(await target());
    await call('trigger-sampling-request', () => page.getByLabel('prompt').fill('Say hi'));
    await question.getByLabel('The answer').fill('Hi from me');
    await question.getByRole('button', { name: 'Answer' }).click();
    await result.getByText('Hi from me').first().waitFor();

    const fill = () => page.getByLabel('url').fill('https://pages.example.com/step');
    await call('trigger-url-elicitation', fill);
    await question.getByText('pages.example.com', { exact: true }).waitFor();
    await question.getByRole('button', { name: 'Decline' }).click();
    await result.getByText('✓ done').waitFor();

    await call('trigger-url-elicitation', async () => {
      await fill();
      await choose(page, 'errorPath', 'true');
    });
    const first = result.getByRole('region', { name: 'Required pages' });
    await first.getByRole('link', { name: 'Open the page' }).waitFor();
    await first.getByText('modelcontextprotocol.io', { exact: true }).waitFor();
    await first.getByRole('button', { name: 'Call again' }).click();
    await question.getByText('asks you to visit a page').waitFor();
    expect(problems).toEqual([]);
  });

  it('shows progress, log messages at a level, and the declared roots', async () => {
    const { page, section, call, result } = await openTarget(await target());
    const run = (duration: string, steps: string) =>
      call('trigger-long-running-operation', async () => {
        await page.getByRole('textbox', { name: 'duration' }).fill(duration);
        await page.getByRole('textbox', { name: 'steps' }).fill(steps);
      });
    await run('0.1', '1');
    await result.getByText('Long running operation completed').waitFor();
    // Longer than rendering takes on any machine.
    await run('600', '3000');
    await result.getByRole('progressbar').waitFor();
    await result.getByRole('button', { name: 'Cancel' }).click();
    await result.getByText('○ cancelled').first().waitFor();

    await section('Connection').click();
    await page.getByLabel('Roots').fill('file:///srv/songs');
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByLabel('Log level').selectOption('debug');
    await call('get-roots-list');
    await result.getByText('file:///srv/songs').first().waitFor();
    await call('toggle-simulated-logging');
    await result.getByText('Started simulated').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('logging/setLevel').first().waitFor();
    await expect.poll(() => timeline.getByText('-level message').count()).toBeGreaterThan(0);
  });

  it('completes arguments that depend on each other, gets prompts, fills templates, and shows changes', async () => {
    const { page, problems, section, call, result } = await openTarget(await target());
    await section('Prompts').click();
    await page.getByRole('option', { name: /^completable-prompt/ }).click();
    await page.getByRole('button', { name: 'Engineering' }).click();
    await page.getByRole('button', { name: 'Alice' }).click();
    await page.getByRole('button', { name: '▶ Get' }).click();
    await result.getByText('Please promote Alice').waitFor();
    await page.getByRole('option', { name: /^resource-prompt/ }).click();
    await page.getByLabel('resourceType').fill('Text');
    await page.getByLabel('resourceId').fill('3');
    await page.getByRole('button', { name: '▶ Get' }).click();
    await result.getByText('Resource 3: This is a plaintext resource').waitFor();

    await section('Templates').click();
    await page.getByRole('option', { name: /^Dynamic Text Resource/ }).click();
    await page.getByLabel('resourceId').fill('7');
    await page.getByText('demo://resource/dynamic/text/7').first().waitFor();
    await page.getByRole('button', { name: '▶ Read' }).click();
    await result.getByText('Resource 7: This is a plaintext resource').waitFor();

    await section('Listen').click();
    const main = page.getByRole('main');
    await main.getByRole('textbox', { name: 'Resources' }).fill('demo://resource/dynamic/text/7');
    await main.getByRole('button', { name: 'Listen' }).click();
    const open = page.getByRole('region', { name: 'Subscriptions' });
    await open.getByText('demo://resource/dynamic/text/7').waitFor();
    await open.getByText('● open').nth(1).waitFor();
    await expect.poll(() => open.getByText('the server tells of').count()).toBe(0);
    await call('toggle-subscriber-updates');
    await section('Listen').click();
    await page.getByRole('region', { name: 'Heard' }).getByText('demo://resource/dynamic/text/7').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('follows a task with its question to the result, all in its call', async () => {
    const { page, problems, call, question, result } = await openTarget(await target());
    await call('simulate-research-query', async () => {
      await page.getByLabel('topic').fill('python');
      await choose(page, 'ambiguous', 'true');
    });
    const task = result.getByRole('group', { name: 'Task' });
    await task.waitFor();
    await question.getByLabel('Clarification').selectOption({ index: 1 });
    await question.getByRole('button', { name: 'Answer' }).click();
    await task.getByText('✓ completed').waitFor();
    await result.getByText('# Research Report: python').waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Timeline' }).getByText('notifications/tasks/status').count())
      .toBe(0);
    expect(problems).toEqual([]);
  });
});
