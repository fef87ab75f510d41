import { expect, it } from 'vitest';
import { contentTokens, textTokens } from './token-estimate.ts';

it('a text costs a quarter of its bytes', () => {
  const content = [{ type: 'text', text: 'é'.repeat(400) }];
  expect(contentTokens(content)).toBe(textTokens(JSON.stringify(content)));
  expect(contentTokens(content)).toBeGreaterThan(200);
});

it.each(['image', 'audio'])('an %s costs the same, however large it is', (type) => {
  const costs = [10, 1_000_000].map((length) => contentTokens([{ type, data: 'A'.repeat(length), mimeType: 'x/y' }]));
  expect(costs[0]).toBe(costs[1]);
  expect(costs[0]).toBeGreaterThan(2000);
});
