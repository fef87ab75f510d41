import { createServer, type Server, tool } from '@ccmcp/core';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  anthropicText,
  modelService,
  openaiText,
} from '../../../packages/inspector/src/server/fixtures/model-service.ts';
import { hasChromium } from '../../support/chromium.ts';
import { seriousProblems } from '../support/axe.ts';
import { openInspector, overHttp } from './open-inspector.ts';

const key = 'sk-own-key-of-a-person-0001';

/** A server whose tools send sampling requests. */
function critic(): Server {
  return createServer({
    name: 'critic',
    version: '1.0.0',
    tools: [
      tool('taste', { description: 'Asks a model for its opinion.' }, async (_, { sample }) => {
        const { content } = await sample({
          messages: 'How does the soup taste?',
          systemPrompt: 'You are a cook. Answer in one sentence.',
          maxTokens: 60,
          temperature: 0.4,
          modelPreferences: { hints: [{ name: 'dear-model' }], intelligencePriority: 0.9 },
          includeContext: 'thisServer',
        });
        return JSON.stringify(content);
      }),
      tool('shop', { description: 'Lets a model use a tool.' }, async (_, { sample }) => {
        const { content } = await sample({
          messages: 'What is missing?',
          maxTokens: 60,
          tools: [{ name: 'pantry.list', description: 'What there is', inputSchema: { type: 'object' } }],
        });
        return JSON.stringify(content);
      }),
    ],
  });
}

async function callTool(page: Page, name: string): Promise<Locator> {
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: '▶ Call' }).click();
  return page.getByRole('region', { name: 'Question of critic' });
}

async function setUp(
  question: Locator,
  url: string,
  service = 'Ollama, or another OpenAI-compatible service',
): Promise<void> {
  await question.getByText('Answer with a model…').click();
  await question.getByLabel('Service').selectOption(service);
  await question.getByLabel('Address').fill(url);
  await question.getByLabel('Model', { exact: true }).fill('house-model');
  await question.getByLabel('Key').fill(key);
  await question.getByRole('button', { name: 'Use this model' }).click();
}

describe.skipIf(!hasChromium)('a configured model in the inspector', () => {
  it.each([
    ['OpenAI', 'Ollama, or another OpenAI-compatible service', openaiText],
    ['Anthropic', 'Anthropic', anthropicText],
  ] as const)('is set up, asked, edited and sent, as %s speaks', async (_, service, text) => {
    const fake = await modelService(() => text('Like late summer.'));
    const { page, problems } = await openInspector({ targets: [await overHttp('critic', critic())] });
    const question = await callTool(page, 'taste');
    await question.getByText('wants context (thisServer), which is not supported').waitFor();
    await expect.poll(() => question.getByRole('button', { name: /^Ask/ }).count()).toBe(0);
    await setUp(question, fake.url, service);
    await question.getByText('with a key').waitFor();
    expect(fake.asked).toEqual([]);
    await question.getByRole('button', { name: 'Ask house-model', exact: true }).click();
    await question.getByText('11 tokens read, 7 written').waitFor();
    await expect.poll(() => question.getByLabel('The answer', { exact: true }).inputValue()).toBe('Like late summer.');
    await page.reload();
    await expect.poll(() => question.getByLabel('The answer', { exact: true }).inputValue()).toBe('Like late summer.');
    await question.getByLabel('The answer', { exact: true }).fill('Like early autumn.');
    await question.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Like early autumn.').first().waitFor();
    expect(fake.asked).toMatchObject([{ body: { model: 'house-model', max_tokens: 60, temperature: 0.4 } }]);
    expect(await page.content()).not.toContain(key);
    expect(problems).toEqual([]);
  });

  it('has no serious problem for axe, set up and in use, light and dark', async () => {
    const fake = await modelService(() => openaiText('Like late summer.'));
    const { page } = await openInspector({ targets: [await overHttp('critic', critic())] });
    const question = await callTool(page, 'taste');
    const problemsOfBothThemes = async () => {
      const found: string[] = [];
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await seriousProblems(page)).map((problem) => `${problem} (${colorScheme})`));
      }
      return found;
    };
    await question.getByText('Answer with a model…').click();
    expect(await problemsOfBothThemes()).toEqual([]);
    await question.getByText('Answer with a model…').click();
    await setUp(question, fake.url);
    await question.getByRole('button', { name: 'Ask house-model', exact: true }).click();
    await question.getByText('11 tokens read, 7 written').waitFor();
    expect(await problemsOfBothThemes()).toEqual([]);
  });

  it('keeps the typed answer until the person wants the draft, and requests a draft only then', async () => {
    const fake = await modelService(() => openaiText('From the model.'));
    const model = { service: 'openai', model: 'house-model', url: fake.url, key } as const;
    const { page } = await openInspector({ targets: [await overHttp('critic', critic())], model });
    const question = await callTool(page, 'taste');
    const answer = question.getByLabel('The answer', { exact: true });
    await answer.fill('My own words.');
    await question.getByRole('button', { name: 'Ask dear-model instead' }).click();
    await question.getByRole('button', { name: 'Replace mine' }).waitFor();
    await expect.poll(() => answer.inputValue()).toBe('My own words.');
    await question.getByRole('button', { name: 'Replace mine' }).click();
    await expect.poll(() => answer.inputValue()).toBe('From the model.');
    expect(fake.asked).toMatchObject([{ body: { model: 'dear-model' } }]);
  });

  it('shows the tools that a model wants to use, and everything as JSON', async () => {
    const call = { id: 'u1', type: 'function', function: { name: 'pantry_list', arguments: '{"shelf":2}' } };
    const body = { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] };
    const fake = await modelService(() => ({ body }));
    const model = { service: 'openai', model: 'house-model', url: fake.url } as const;
    const { page } = await openInspector({ targets: [await overHttp('critic', critic())], model });
    const question = await callTool(page, 'shop');
    await question.getByRole('button', { name: 'Ask house-model' }).click();
    await question.getByText('pantry.list').waitFor();
    await expect.poll(() => question.getByLabel('stop reason').inputValue()).toBe('toolUse');
    await question.getByRole('tab', { name: 'JSON' }).click();
    await question.getByText('"stopReason": "toolUse"').waitFor();
    await question.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('pantry.list').first().waitFor();
  });

  it('is cancelled, and reports errors', async () => {
    let isWrong = false;
    const fake = await modelService(() =>
      isWrong ? { status: 401, body: { error: { message: 'invalid key' } } } : undefined,
    );
    const model = { service: 'anthropic', model: 'house-model', url: fake.url, key } as const;
    const { page } = await openInspector({ targets: [await overHttp('critic', critic())], model });
    const question = await callTool(page, 'taste');
    const ask = question.getByRole('button', { name: 'Ask house-model' });
    await ask.click();
    await question.getByText('house-model is asked').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.getByText('Cancelled after').waitFor();
    isWrong = true;
    await ask.click();
    await question.getByText('The service rejected the key (401): invalid key').waitFor();
    expect(fake.asked).toHaveLength(2);
  });

  it('answers automatically if that is switched on, and can be stopped', async () => {
    const fake = await modelService(() => openaiText('By itself.'));
    const model = { service: 'openai', model: 'house-model', url: fake.url, key } as const;
    const { page, problems } = await openInspector({ targets: [await overHttp('critic', critic())], model });
    const question = await callTool(page, 'taste');
    const byItself = question.getByLabel('Answer automatically');
    await expect.poll(() => byItself.isChecked()).toBe(false);
    await byItself.check();
    await question.getByRole('button', { name: 'Refuse' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '▶ Call' }).click();
    await page.getByText('by house-model itself').waitFor();
    await page.getByRole('button', { name: 'critic auto' }).waitFor();
    await page.getByRole('region', { name: 'Result' }).getByText('By itself.').first().waitFor();
    await page.getByLabel('Answer automatically').uncheck();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await question.getByRole('button', { name: 'Ask house-model' }).waitFor();
    expect(fake.asked).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
