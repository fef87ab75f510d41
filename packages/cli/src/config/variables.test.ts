import { describe, expect, it } from 'vitest';
import { type VariableSyntax, type Values, substituteVariables } from './variables.ts';

const values: Values = {
  env: { NAME: 'ann', ADA: 'ada' },
  home: '/home/ann',
  platform: 'linux',
  folder: '/shop/north',
  marks: 'any',
};

function fillIn(text: string, marks: VariableSyntax): string {
  return substituteVariables({ kind: 'http', url: text, headers: {} }, { ...values, marks }).url;
}

describe('the variables of an entry', () => {
  it.each<[VariableSyntax, string, string]>([
    ['none', '${NAME} ${env:NAME} $NAME {env:NAME} ${workspaceFolder}', ''],
    ['braces', '${NAME}, ${OTHER:-none}, ${OTHER:-}', 'ann, none, '],
    ['braces', '${env:NAME} $NAME {env:NAME} ${workspaceFolder:x}', ''],
    ['editor', '${env:NAME}, ${userHome}${/}x, ${workspaceFolder}', 'ann, /home/ann/x, /shop/north'],
    ['editor', '${workspaceFolderBasename}${pathSeparator}', 'north/'],
    ['editor', '${NAME} $NAME {env:NAME}', ''],
    ['shell', '$NAME, ${NAME}, ${OTHER:-none}', 'ann, ann, none'],
    ['shell', '${env:NAME} $1 $', ''],
    ['curly', '{env:NAME}', 'ann'],
    ['curly', '${NAME} $NAME', ''],
    ['any', '${NAME}, ${env:NAME}, {env:NAME}, ${workspaceFolder}', 'ann, ann, ann, /shop/north'],
  ])('are expanded as by clients that write them like "%s": %s', (marks, text, expected) => {
    expect(fillIn(text, marks)).toBe(expected || text);
  });

  it('are expanded everywhere', () => {
    const entry = { kind: 'stdio' as const, command: '$NAME', args: ['$ADA'], env: { A: '$NAME' }, cwd: '/$ADA' };
    expect(substituteVariables(entry, { ...values, marks: 'shell' })).toEqual({
      kind: 'stdio',
      command: 'ann',
      args: ['ada'],
      env: { A: 'ann' },
      cwd: '/ada',
    });
  });

  it.each<[VariableSyntax, string, string]>([
    ['editor', '${input:key}', 'its client asks for "key"'],
    ['editor', '${config:some.thing}', 'only its client knows "config:some.thing"'],
    ['editor', '${env:OTHER}', 'the variable OTHER is not set here'],
    ['shell', '$(cat key)', 'its client runs a command to get a value'],
    ['curly', '{file:~/.key}', 'only its client knows "file:~/.key"'],
  ])('are an error if they are unknown: %s %s', (marks, text, reason) => {
    expect(() => fillIn(text, marks)).toThrow(reason);
  });

  it('are parsed in linear time, also with many unclosed references', () => {
    const url = '${'.repeat(300_000);
    expect(fillIn(url, 'any')).toBe(url);
    expect(fillIn(url, 'shell')).toBe(url);
  });
});
