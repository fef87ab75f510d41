import { expect, it } from 'vitest';
import { matchesClient } from './client-match.ts';

it.each([
  [{ name: 'codex' }, { name: 'codex' }, true],
  [{ name: 'Codex' }, { name: 'codex' }, true],
  [{ name: 'Visual Studio Code - Insiders' }, { name: 'visual studio code' }, true],
  [{ name: 'codexer' }, { name: 'codex' }, false],
  [{ name: 'codex', version: '1.9.0' }, { name: 'codex', from: '1.10' }, false],
  [{ name: 'codex', version: 'v1.10.0-beta' }, { name: 'codex', from: '1.10' }, true],
  [{ name: 'codex', version: '2.0' }, { name: 'codex', from: '1.10', before: '2' }, false],
  [{ name: 'codex', version: '1.99.9' }, { name: 'codex', before: '2' }, true],
  [{ name: 'codex', version: 'latest' }, { name: 'codex', before: '2' }, true],
  [{ name: 'x'.repeat(1_000_000) }, { name: 'x' }, false],
  [{ name: 7, version: {} }, { name: 'x' }, false],
  [undefined, { name: 'x' }, false],
])('%j is meant by %j: %s', (client, match, isMeant) => {
  expect(matchesClient(client as never, match)).toBe(isMeant);
});
