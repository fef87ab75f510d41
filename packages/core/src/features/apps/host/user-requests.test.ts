import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeFileName } from './view-handlers.ts';
import { anyText } from '../../../../../../test/support/any-text.ts';

function named(name: string): string {
  return safeFileName({ type: 'resource_link', uri: 'x://y', name });
}

it.each([
  ['report.csv', 'report.csv'],
  ['../../etc/passwd', 'etc_passwd'],
  ['C:\\Windows\\a.exe', 'C_Windows_a.exe'],
  ['.bashrc', 'bashrc'],
  ['con.txt', '_con.txt'],
  ['invoice\u202Efdp.exe', 'invoice_fdp.exe'],
  ['a\0b\nc', 'a_b_c'],
  ['...', 'download'],
  ['', 'download'],
  [`${'x'.repeat(300)}.txt`, 'x'.repeat(120)],
])('names a file %j as %j (AH-14)', (name, safe) => {
  expect(named(name)).toBe(safe);
});

it.each([
  ['file:///a/b/report%20one.csv?x=1#y', 'report one.csv'],
  ['ui://x/%2e%2e%2fpasswd', 'passwd'],
  ['x://a/%ff', '%ff'],
])('names contents by their address %j (AH-14)', (uri, safe) => {
  expect(safeFileName({ type: 'resource', resource: { uri, text: '' } })).toBe(safe);
});

const unseen = /\p{C}/u;

it('never gives a name that leads anywhere, or that is empty (AH-14)', () => {
  fc.assert(
    fc.property(anyText(), (name) => {
      const safe = named(name);
      expect(safe).toMatch(/^[^/\\:*?"<>|.\s_-][^/\\:*?"<>|]*$|^_/);
      expect(unseen.test(safe)).toBe(false);
      expect(safe.length).toBeLessThanOrEqual(121);
    }),
  );
});
