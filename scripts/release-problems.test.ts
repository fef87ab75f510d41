import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packages } from './packages.mjs';
import { type Manifest, releaseProblems } from './release-problems.mjs';

const common = {
  version: '1.2.0',
  description: 'A package',
  license: 'MIT',
  keywords: ['mcp'],
  files: ['dist'],
  engines: { node: '>=20' },
  publishConfig: { access: 'public', provenance: true },
  repository: { url: 'git+https://example.com/x.git', directory: 'packages/x' },
  homepage: 'https://example.com/x',
  bugs: 'https://example.com/x/issues',
};
const core: Manifest = { name: 'core', ...common };
const command: Manifest = { name: 'command', ...common, devDependencies: { core: '1.2.0' } };
const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2030-01-02)\n\n- Something\n';

describe('a release', () => {
  it('is possible if nothing is missing', () => {
    expect(releaseProblems([core, command], changelog)).toEqual([]);
  });

  it.each([
    ['versions differ', [core, { ...command, version: '1.1.0' }], 'command has the version 1.1.0, others have 1.2.0'],
    [
      'a package needs another version',
      [core, { ...command, devDependencies: { core: '1.1.0' } }],
      'command needs core 1.1.0, which has the version 1.2.0',
    ],
    ['nobody could install it', [{ ...core, publishConfig: {} }], 'core would not be public: set publishConfig.access'],
    [
      'nobody says where it is from',
      [{ ...core, repository: { url: 'x' } }],
      'core has no repository with url and directory, without which provenance is rejected',
    ],
    [
      'an address is a placeholder',
      [{ ...core, homepage: 'https://repository.invalid/x' }],
      'core has the placeholder https://repository.invalid/x under "homepage": write the address of the public repository',
    ],
  ])('waits where %s', (_, manifests, problem) => {
    expect(releaseProblems(manifests, changelog)).toContain(problem);
  });

  it.each(['description', 'license', 'keywords', 'files', 'engines', 'homepage', 'bugs'])(
    'waits where a manifest has no %s',
    (field) => {
      const { [field as keyof Manifest]: _, ...rest } = core;
      expect(releaseProblems([rest as Manifest], changelog)).toEqual([`core says nothing under "${field}"`]);
    },
  );

  it('waits for the changelog', () => {
    expect(releaseProblems([core], changelog.replace('1.2.0', '1.1.0'))).toEqual([
      'CHANGELOG.md has no section "## 1.2.0 (date)"',
    ]);
    expect(releaseProblems([core], changelog.replace('Unreleased\n', 'Unreleased\n\n- News\n'))).toEqual([
      'CHANGELOG.md still has something under "Unreleased"',
    ]);
  });
});

it('the packages lack nothing for a release but what its own hour decides', () => {
  const manifests = packages.map(
    ({ directory }) => JSON.parse(readFileSync(`${directory}/package.json`, 'utf8')) as Manifest,
  );
  const problems = releaseProblems(manifests, changelog.replace('1.2.0', manifests[0]?.version ?? ''));
  expect(problems.filter((problem) => !/has the placeholder/.test(problem))).toEqual([]);
});

it.each(packages.map(({ name, directory }) => [name, directory]))(
  'the README of packages/%s has no link that breaks outside of the repository',
  (_, directory) => {
    const links = [...readFileSync(`${directory}/README.md`, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)];
    expect(links.map(([, link]) => link).filter((link) => !/^(?:https:|#)/.test(link ?? ''))).toEqual([]);
  },
);
