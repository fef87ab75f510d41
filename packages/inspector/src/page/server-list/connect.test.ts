import { describe, expect, it } from 'vitest';
import { formatCommand } from './connect.tsx';

describe('a command to confirm', () => {
  it.each([
    [['node', 'server.js', '--port', '1'], 'node server.js --port 1'],
    [['node', 'my server.js', "it's", '"'], 'node "my server.js" "it\'s" "\\""'],
    [['node', ''], 'node ""'],
    [['node', 'a\n\n\nrm'], 'node "a\\u{a}\\u{a}\\u{a}rm"'],
    [['/bin/\u202egpj.exe', 'a\u200bb\u00a0c'], '/bin/\\u{202e}gpj.exe "a\\u{200b}b\\u{a0}c"'],
    [['Übung/プログラム'], 'Übung/プログラム'],
  ])('can not be mistaken for another: %j', (words, shown) => {
    expect(formatCommand(words)).toBe(shown);
  });
});
