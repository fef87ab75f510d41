import { describe, expect, it } from 'vitest';
import { collectSkills } from './skill-collection.ts';

const skill = (name: string): string => `---\nname: ${name}\ndescription: It helps\n---\nDo it.\n`;

describe('a skill collection', () => {
  it('derives URIs from paths, and contains all files (SK-02, SK-04)', () => {
    const { skills, files } = collectSkills({
      'pdf/SKILL.md': skill('pdf'),
      'pdf/references/A b.md': 'x',
      'office/word/SKILL.md': skill('word'),
    });
    expect(skills.map(({ uri }) => uri)).toEqual(['skill://office/word/SKILL.md', 'skill://pdf/SKILL.md']);
    expect(skills[1]?.files.map(({ uri }) => uri)).toEqual(['skill://pdf/SKILL.md', 'skill://pdf/references/A%20b.md']);
    expect([...files.keys()]).toHaveLength(3);
  });

  it('may nest skills: the outer one contains the files of the inner one (SK-04, SK-11)', () => {
    const { skills } = collectSkills({ 'a/SKILL.md': skill('a'), 'a/more/b/SKILL.md': skill('b') });
    expect(skills.map(({ uri, files }) => [uri, files.length])).toEqual([
      ['skill://a/SKILL.md', 2],
      ['skill://a/more/b/SKILL.md', 1],
    ]);
  });

  it('distinguishes text from bytes, and detects MIME types', () => {
    const { files } = collectSkills({
      'a/SKILL.md': skill('a'),
      'a/x.bin': new Uint8Array([0xff, 0]),
      'a/x.PNG': new Uint8Array([0x89, 0x50]),
      'a/plain': 'x',
      'a/constructor': 'x',
    });
    const kinds = Array.from(files.values(), ({ path, mimeType, text }) => [path, mimeType, text !== undefined]);
    expect(kinds).toEqual([
      ['a/SKILL.md', 'text/markdown', true],
      ['a/constructor', 'text/plain', true],
      ['a/plain', 'text/plain', true],
      ['a/x.PNG', 'image/png', false],
      ['a/x.bin', 'application/octet-stream', false],
    ]);
  });

  it('lists the direct entries of each folder (SK-09)', () => {
    const { folders } = collectSkills({ 'a/SKILL.md': skill('a'), 'a/b/c/d.md': 'x', 'a/b/e.md': 'y' });
    const entries = Array.from(folders, ([uri, children]) => [uri, [...children.keys()]]);
    expect(Object.fromEntries(entries)).toEqual({
      'skill://a': ['skill://a/SKILL.md', 'skill://a/b'],
      'skill://a/b': ['skill://a/b/c', 'skill://a/b/e.md'],
      'skill://a/b/c': ['skill://a/b/c/d.md'],
    });
  });

  it('may have thousands of skills', () => {
    const names = Array.from({ length: 2000 }, (_, at) => `s-${at}`);
    const { skills, folders } = collectSkills(
      Object.fromEntries(
        names.flatMap((name) => [
          [`${name}/SKILL.md`, skill(name)],
          [`${name}/more/x.md`, ''],
        ]),
      ),
    );
    expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual([...names].sort());
    expect(skills.every(({ files }) => files.length === 2)).toBe(true);
    expect(folders.size).toBe(4000);
  });

  const many = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`a/${index}.txt`, '']));

  it.each([
    ['a name that is not that of its folder', { 'a/SKILL.md': skill('b') }, /both must be the same/],
    ['a file that belongs to none', { 'a/SKILL.md': skill('a'), 'b/x.md': '' }, /"b\/x.md" belongs to no skill/],
    [
      'a head in small letters',
      { 'a/skill.md': skill('a'), 'a/x.md': '' },
      /"a\/skill.md" is taken for a skill only when it is named SKILL.md/,
    ],
    ['a SKILL.md without a folder', { 'SKILL.md': skill('a') }, /belongs to no skill/],
    ['a head that is wrong', { 'a/SKILL.md': 'x' }, /"a\/SKILL.md": it must begin with/],
    ['a SKILL.md that is no text', { 'a/SKILL.md': new Uint8Array([0xff]) }, /not UTF-8 text/],
    ['the same name twice', { 'x/a/SKILL.md': skill('a'), 'y/a/SKILL.md': skill('a') }, /have the same name/],
    ['a path that leads away', { 'a/../b/SKILL.md': skill('b') }, /is no path/],
    ['an empty part of a path', { '/a/SKILL.md': skill('a') }, /is no path/],
    ['a character that no path has', { 'a/SKILL.md': skill('a'), 'a/x\n': '' }, /is no path/],
    ['half a character', { 'a/SKILL.md': skill('a'), 'a/\uD800': '' }, /is no path/],
    [
      'files that differ only in capitals',
      { 'a/SKILL.md': skill('a'), 'a/Notes.md': '', 'a/notes.md': '' },
      /"a\/Notes.md" and "a\/notes.md" differ only in capitals/,
    ],
    [
      'folders that differ only in capitals',
      { 'a/SKILL.md': skill('a'), 'a/Ref/x.md': '', 'a/ref/y.md': '' },
      /"a\/Ref" and "a\/ref" differ only in capitals/,
    ],
    [
      'names that are the same letters in two forms',
      { 'a/SKILL.md': skill('a'), 'a/\u00E9.md': '', 'a/e\u0301.md': '' },
      /in how a letter is encoded/,
    ],
    [
      'a file that takes the name of a prototype',
      { 'a/SKILL.md': skill('a'), ['__proto__']: '' },
      /"__proto__" belongs to no skill/,
    ],
    [
      'more files than all skills may have',
      Object.fromEntries(Array.from({ length: 8193 }, (_, at) => [`s${at}/SKILL.md`, ''])),
      /There are 8193 files, and skills may have 8192 together/,
    ],
    ['a first folder that is no host', { 'My skills/a/SKILL.md': skill('a') }, /stands for a host/],
    ['too many files (SK-06)', { 'a/SKILL.md': skill('a'), ...many }, /has 513 files, and may have 512/],
    [
      'files that are too large (SK-06)',
      { 'a/SKILL.md': skill('a'), 'a/x': new Uint8Array(16 * 1024 * 1024) },
      /and may have 16777216/,
    ],
  ])('are rejected with %s', (_, files, message) => {
    expect(() => collectSkills(files)).toThrow(message);
  });
});
