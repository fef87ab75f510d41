import { describe, expect, it } from 'vitest';
import { diff } from '../configuration.ts';
import { json } from './json.ts';
import { maskSecrets, maskValues } from './secrets.ts';
import { toml } from './toml.ts';
import { yaml } from './yaml.ts';

describe('the displayed text of a file', () => {
  it.each([
    ['{"env": {"A": "hush"}}', '{"env": {"A": "***"}}'],
    ['{"headers": {"X": "hush"}}', '{"headers": {"X": "***"}}'],
    ['{"headers": {"X": "Bearer ${TOKEN}"}}', '{"headers": {"X": "Bearer ${TOKEN}"}}'],
    ['{"apiKey": "hush"}', '{"apiKey": "***"}'],
    ['{"args": ["--api-key", "hush", "--root", "/x"]}', '{"args": ["--api-key", "***", "--root", "/x"]}'],
    ['{"args": ["--token=hush", "--root=/x"]}', '{"args": ["***", "--root=/x"]}'],
    ['{"args": ["mcp-remote", "https://x/?key=hush"]}', '{"args": ["mcp-remote", "***"]}'],
    ['{"url": "https://ann:hush@x/"}', '{"url": "***"}'],
    ['{"url": "https://x/mcp"}', '{"url": "https://x/mcp"}'],
    ['{"args": ["ghp_hush"]}', '{"args": ["***"]}'],
    ['{\n// "API_KEY": "hush"\n}', '{\n// "API_KEY": "***"\n}'],
  ])('has no secrets: %s', (text, shown) => {
    expect(maskSecrets(json, text)).toBe(shown);
  });

  it('has no secrets in TOML and YAML either', () => {
    expect(maskSecrets(toml, 'a.env = { K = "hush" }\n# token = hush\n')).toBe(
      'a.env = { K = "***" }\n# token = "***"\n',
    );
    expect(maskSecrets(yaml, 'envs:\n  K: hush # x\n  L: |\n    hush\nb: 1\n')).toBe(
      'envs:\n  K: "***" # x\n  L: "***"\nb: 1\n',
    );
  });

  it('has secrets masked in linear time, however often a line contains the beginning of one', () => {
    const line = `// ${'token'.repeat(200_000)}${'secret '.repeat(100_000)}`;
    expect(maskSecrets(json, `{\n${line}\n}`)).toBe(`{\n${line}\n}`);
  });

  it('has no secrets in sentences', () => {
    expect(maskValues('401 for hush-hush', ['hush-hush', ''])).toBe('401 for ***');
  });
});

describe('a displayed diff', () => {
  const lines = (...numbers: number[]) => numbers.map((number) => `${number}\n`).join('');

  it('shows changed lines with three lines of context', () => {
    expect(diff('f', lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 2, 3, 4, 50, 6, 7, 8, 9))).toBe(
      '--- f\n+++ f\n@@\n 2\n 3\n 4\n-5\n+50\n 6\n 7\n 8\n',
    );
  });

  it('shows distant changes separately', () => {
    const before = lines(...Array.from({ length: 20 }, (_, index) => index));
    const after = before.replace('2\n', '').replace('17\n', '17\n17.5\n');
    expect(diff('f', before, after).match(/^@@/gm)).toHaveLength(1);
    expect(diff('f', before, after).match(/^[-+][\d.]+$/gm)).toEqual(['-2', '+17.5']);
  });

  it('shows a new file as new lines', () => {
    expect(diff('f', '', 'a\r\nb\r\n')).toBe('--- f\n+++ f\n+a\n+b\n');
  });
});
