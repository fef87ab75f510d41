import { expect, it } from 'vitest';
import { negotiateVersion } from './capabilities.ts';

it.each([
  ['2026-01-26', '2026-01-26'],
  ['2025-11-21', '2025-11-21'],
  ['2030-01-01', '2026-01-26'],
  [undefined, '2026-01-26'],
  [7, '2026-01-26'],
])('a view that wants the version %j gets %j (AH-16)', (wanted, agreed) => {
  expect(negotiateVersion(wanted)).toBe(agreed);
});
