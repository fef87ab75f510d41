import { expect, it } from 'vitest';
import { filledFile } from '../fixtures/damage.ts';

it('a damaged file is served as it was, or not at all, wherever 2000 bits were changed (FT-11)', {
  timeout: 300_000,
}, async () => {
  const { bytes, outcomeWith } = await filledFile();
  const altered: object[] = [];
  let refused = 0;
  for (let round = 0; round < 2000; round += 1) {
    // Every second one in what says how to read the rest.
    const place = Math.floor(Math.random() * (round % 2 === 0 ? 4096 : bytes.length));
    const change = { place, bit: Math.floor(Math.random() * 8) };
    const outcome = await outcomeWith(change);
    if (outcome === 'altered') altered.push(change);
    if (outcome === 'refused') refused += 1;
  }
  expect(altered).toEqual([]);
  expect(refused).toBeGreaterThan(200);
});

it('a damaged file is served as it was, or not at all, wherever a byte was changed (FT-11)', async () => {
  const { bytes, outcomeWith } = await filledFile();
  const outcomes: string[] = [];
  // The beginning says what everything is, so it is looked at more closely.
  const step = Math.ceil(bytes.length / 100);
  for (let place = 16; place < bytes.length; place += place < 1000 ? 19 : step) {
    outcomes.push(await outcomeWith({ place, bit: place % 8 }));
  }
  expect(outcomes).not.toContain('altered');
  expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(20);
});
