import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, launcher } from '../support/ccmcp.ts';

let folder = '';

beforeEach(() => {
  folder = emptyFolder();
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'drawings'));
  writeFileSync(join(folder, 'server.js'), '');
  symlinkSync(launcher, join(folder, 'bin', 'ccmcp'));
});

/** Runs a shell program in the folder, with `ccmcp` on the PATH. */
function inShell(shell: string, program: string): string {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`, HOME: folder };
  writeFileSync(join(folder, 'bin', 'program'), program);
  const args = shell === 'bash' ? ['--norc'] : shell === 'zsh' ? ['-f'] : ['--no-config'];
  const { stdout, stderr, status } = spawnSync(shell, [...args, join(folder, 'bin', 'program')], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

function hasShell(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

const lines: [string, string][] = [
  ['ccmcp cal', 'call'],
  ['ccmcp call moon', 'moonphase'],
  ['ccmcp call ccmcp ad', 'add'],
  ['ccmcp call ccmcp add a=1 ', 'b='],
  ['ccmcp list --er', '--era'],
  ['ccmcp call ./ser', './server.js'],
  ['ccmcp call ccmcp echo message=@ser', 'message=@server.js'],
  ['ccmcp read ccmcp help://', 'help://commands'],
];

describe.skipIf(!hasShell('bash'))('bash', () => {
  it('completes what was typed', () => {
    const tries = lines.map(([line]) => `try ${JSON.stringify(line)}`).join('\n');
    const said = inShell(
      'bash',
      `source <(ccmcp completion bash)
      try() {
        COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=(ccmcp)
        _ccmcp 2>/dev/null
        printf '%s;' "\${COMPREPLY[@]}"
        echo
      }
      ${tries}
      complete -p ccmcp`,
    );
    const found = said.trimEnd().split('\n');
    // In a word with such a character, bash completes only the part after the last one.
    const expected = lines.map(([, word]) => word.replace(word.includes('://') ? /^.*:/ : /^.*[=@](?=.)/, ''));
    expect(found.slice(0, -1).map((line) => line.replace(/ ?;$/, ''))).toEqual(expected);
    expect(found.at(-1)).toContain('_ccmcp ccmcp');
  });
});

describe.skipIf(!hasShell('zsh'))('zsh', () => {
  it('completes what was typed', () => {
    const tries = lines.map(([line]) => {
      const words = line.split(' ');
      return `words=(${words.map((word) => `'${word}'`).join(' ')}) CURRENT=${words.length} PREFIX='${words.at(-1)}'; _ccmcp; print`;
    });
    const said = inShell(
      'zsh',
      `compdef() { print -r -- "$@" }
      compadd() { local name=\${@[-1]}; print -nr -- "\${(@P)name};" }
      _files() { print -nr -- "$PREFIX"*(N) }
      source <(ccmcp completion zsh)
      ${tries.join('\n')}`,
    );
    const [defined, ...found] = said.trimEnd().split('\n');
    expect(defined).toBe('_ccmcp ccmcp');
    expect(found.map((line) => line.replace(/;$/, ''))).toEqual(lines.map(([, word]) => word));
  });
});

describe.skipIf(!hasShell('fish'))('fish', () => {
  it('completes what was typed', () => {
    const tries = lines.map(([line]) => `complete -C '${line}'; echo ====`);
    const said = inShell('fish', `ccmcp completion fish | source\n${tries.join('\n')}`);
    const found = said
      .split('====\n')
      .slice(0, -1)
      .map((each) => each.split('\n')[0]?.split('\t')[0]);
    expect(found).toEqual(lines.map(([, word]) => word));
  });
});
