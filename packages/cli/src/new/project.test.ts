import { describe, expect, it } from 'vitest';
import workspace from '../../../../package.json' with { type: 'json' };
import { projectFiles, type ProjectKind } from './project.ts';

const kinds = (['js', 'ts'] as const).flatMap((language) =>
  (['stdio', 'http'] as const).map((transport): ProjectKind => ({ name: 'mine', language, transport, core: '^1.2.3' })),
);

describe.each(kinds)('a project in $language over $transport', (kind) => {
  const files = projectFiles(kind);
  const { language } = kind;

  it('has the files of its language, and none of the other', () => {
    const typescript = language === 'ts' ? ['tsconfig.json'] : [];
    expect(Object.keys(files).sort()).toEqual(
      [
        '.gitignore',
        'README.md',
        'package.json',
        `src/main.${language}`,
        `src/server.${language}`,
        `src/server.test.${language}`,
        ...typescript,
      ].sort(),
    );
  });

  it('names only files in its README that exist or are built', () => {
    const named = files['README.md']?.match(/\b(?:src|dist)\/[\w.]+/g) ?? [];
    const made = Object.keys(files).flatMap((path) => [path, path.replace(/^src(.*)ts$/, 'dist$1js')]);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !made.includes(path))).toEqual([]);
  });

  it('depends on the given version of the core', () => {
    expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({
      name: 'mine',
      private: true,
      dependencies: { '@ccmcp/core': '^1.2.3' },
    });
  });
});

it('a project in TypeScript has the compiler that this repository is checked with', () => {
  const files = projectFiles({ name: 'mine', language: 'ts', transport: 'stdio', core: '^1.2.3' });
  const { devDependencies } = JSON.parse(files['package.json'] ?? '') as { devDependencies: object };
  const { typescript, '@types/node': types } = workspace.devDependencies;
  expect(devDependencies).toEqual({ typescript: `^${typescript}`, '@types/node': types });
});
