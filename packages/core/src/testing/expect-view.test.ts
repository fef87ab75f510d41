import { expect, it } from 'vitest';
import { appsClient, appView, apps } from '../apps.ts';
import { createServer, tool } from '../index.ts';
import { expectView, type TestClient, testClient } from '../testing.ts';

const html = '<!doctype html><title>Dice</title>';
const ui = appView('ui://dice/view.html', { html });

function diceClient(): Promise<TestClient> {
  const server = createServer({
    name: 'dice',
    version: '1.0.0',
    extensions: [apps()],
    tools: [
      tool('roll', { ui }, () => ({ rolled: [3] })),
      tool('mute', { ui }, () => ({ content: [], structuredContent: { rolled: [3] } })),
      tool('plain', {}, () => 'three'),
    ],
  });
  return testClient(server, { extensions: [appsClient] });
}

it('returns the view of a tool, and the result of a call (AP-03)', async () => {
  const { uri, html: page, result } = await expectView(await diceClient(), 'roll');
  expect([uri, page]).toEqual(['ui://dice/view.html', html]);
  expect(result).toMatchObject({ content: [{ text: '{"rolled":[3]}' }], structuredContent: { rolled: [3] } });
});

it.each([
  ['mute', 'says nothing to hosts without views'],
  ['plain', 'has no view'],
  ['absent', 'There is no tool "absent"'],
])('fails for a tool that is no use: %s (AP-03)', async (name, problem) => {
  await expect(expectView(await diceClient(), name)).rejects.toThrow(problem);
});
