import { expect, it } from 'vitest';
import { filledFile } from '../fixtures/damage.ts';

it('a file with one of 2000 changed bits is served unchanged or rejected (FT-11)', {
  timeout: 300_000,
}, async () => {
  const { bytes, outcomeWith } = await filledFile();
  const altered: object[] = [];
  let rejected = 0;
  for (let round = 0; round < 2000; round += 1) {
    // Half of the changes are in the part that describes the rest of the file.
    const place = Math.floor(Math.random() * (round % 2 === 0 ? 4096 : bytes.length));
    const change = { place, bit: Math.floor(Math.random() * 8) };
    const outcome = await outcomeWith(change);
    if (outcome === 'altered') altered.push(change);
    if (outcome === 'refused') rejected += 1;
  }
  expect(altered).toEqual([]);
  expect(rejected).toBeGreaterThan(200);
});

it('a file with a changed byte is served unchanged or rejected (FT-11)', async () => {
  const { bytes, outcomeWith } = await filledFile();
  const outcomes: string[] = [];
  // The beginning describes the whole file, so more of it is tested.
  const step = Math.ceil(bytes.length / 100);
  for (let place = 16; place < bytes.length; place += place < 1000 ? 19 : step) {
    outcomes.push(await outcomeWith({ place, bit: place % 8 }));
  }
  expect(outcomes).not.toContain('altered');
  expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(20);
});
