import { describe, expect, it } from 'vitest';
import { checkFrontmatter, parseSkillText } from './frontmatter.ts';

const skill = (head: string, body = 'Do it.\n'): string => `---\n${head}\n---\n${body}`;

describe('a SKILL.md', () => {
  it('is split into frontmatter and body, with all fields unchanged (SK-03)', () => {
    const text = skill(
      'name: a\ndescription: b\nsince: 2026-01-02\ncount: 3\nmetadata:\n  x: "1"\nlist: [1, true, null]',
    );
    expect(parseSkillText(text)).toEqual({
      frontmatter: {
        name: 'a',
        description: 'b',
        since: '2026-01-02',
        count: 3,
        metadata: { x: '1' },
        list: [1, true, null],
      },
      body: 'Do it.\n',
    });
  });

  it.each([
    ['begins with a byte order mark', `\uFEFF${skill('name: a')}`],
    ['has lines that end like those of Windows', skill('name: a').replaceAll('\n', '\r\n')],
    ['has spaces behind its dashes', '---  \nname: a\n---\t\nDo it.\n'],
  ])('may be one that %s', (_, text) => {
    const { frontmatter, body } = parseSkillText(text);
    expect(frontmatter).toEqual({ name: 'a' });
    expect(body.trim()).toBe('Do it.');
  });

  it('may end after its frontmatter', () => {
    expect(parseSkillText('---\nname: a\n---').body).toBe('');
  });

  it('keeps dashes in its body', () => {
    expect(parseSkillText(skill('name: a', 'one\n---\ntwo\n')).body).toBe('one\n---\ntwo\n');
  });

  it.each([
    ['nothing', '', /must begin with "---"/],
    ['no head', '# Title\n', /must begin with "---"/],
    ['a head that does not end', '---\nname: a\n', /must begin with "---"/],
    ['a head that begins late', 'x\n---\nname: a\n---\n', /must begin with "---"/],
    ['a head that is no YAML', skill('name: [a'), /is not valid YAML/],
    ['a field that stands twice', skill('name: a\nname: b'), /is not valid YAML: .* at line 3, column 1$/],
    ['a head that is a text', skill('just words'), /must be fields/],
    ['a head that is a list', skill('- a'), /must be fields/],
    ['a value that is repeated by name', skill('a: &x [1]\nb: *x'), /uses an alias/],
    ['tabs before a field', skill('metadata:\n\tx: y'), /is not valid YAML: Tabs are not allowed as indentation/],
    ['a name that is a list', skill('? [a]\n: b'), /is not valid YAML/],
    ['two heads in one', skill('name: a\n...\nname: b'), /is not valid YAML/],
    ['thousands of fields', skill(Array.from({ length: 3000 }, (_, at) => `f${at}: 1`).join('\n')), /more than 4096/],
    ['thousands of names for values', skill('x: &a 1\n'.repeat(2000)), /more than 4096/],
    ['a number that JSON has not', skill('name: .inf'), /JSON has not/],
    ['a long head', skill(`name: ${'a'.repeat(70_000)}`), /longer than 65536/],
  ])('is rejected with %s', (_, text, message) => {
    expect(() => parseSkillText(text)).toThrow(message);
  });

  it.each([
    ['lists', '['.repeat(10_000)],
    ['lists that end', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['fields', '{a: '.repeat(10_000)],
    ['items', `\n${'- '.repeat(10_000)}x`],
    ['questions', `\n${'? '.repeat(10_000)}x`],
    ['fields on one line', 'a: '.repeat(10_000)],
  ])('is rejected with endlessly nested %s before they overflow the stack', (_, nested) => {
    expect(() => parseSkillText(skill(`a: ${nested}`))).toThrow(/nested more than 32 levels deep|more than 4096/);
  });

  it('may be nested as deeply as people write', () => {
    const depth = 20;
    const text = Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:`).join('\n');
    expect(JSON.stringify(parseSkillText(skill(`${text} 1`)).frontmatter)).toBe(
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    );
  });

  it('does not let a field change the prototype', () => {
    const { frontmatter } = parseSkillText(skill('__proto__:\n  polluted: true\nname: a'));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(frontmatter)).toBe(Object.prototype);
  });
});

describe('the fields of a skill', () => {
  const good = { name: 'pdf-forms', description: 'Fill in forms' };

  it('are unchanged, including unknown ones', () => {
    const fields = {
      ...good,
      license: 'MIT',
      compatibility: 'x',
      metadata: { a: 'b' },
      'allowed-tools': 'a b',
      own: 1,
    };
    expect(checkFrontmatter(fields)).toEqual(fields);
    expect(checkFrontmatter({ ...good, 'allowed-tools': ['a'] })).toMatchObject(good);
  });

  it.each(['', 'A', 'a--b', '-a', 'a-', 'a_b', 'ä', 'a b', 'a/b', 'x'.repeat(65)])('reject the name %j', (name) => {
    expect(() => checkFrontmatter({ ...good, name })).toThrow('"name" must be 1 to 64');
  });

  it.each([
    [{ name: undefined }, '"name" is missing'],
    [{ name: 7 }, '"name" must be a string: write it in quotes'],
    [{ description: true }, '"description" must be a string: write it in quotes'],
    [{ description: ['a'] }, '"description" must be a string'],
    [{ description: undefined }, '"description" is missing'],
    [{ description: '  ' }, '"description" is missing'],
    [{ description: 'x'.repeat(1025) }, '"description" has 1025 characters, and may have 1024'],
    [{ license: 1 }, '"license" must be a string'],
    [{ compatibility: '' }, '"compatibility" must be a string'],
    [{ compatibility: 'x'.repeat(501) }, '"compatibility" has 501 characters'],
    [{ metadata: { version: 1 } }, '"metadata" must be a map of strings'],
    [{ metadata: 'x' }, '"metadata" must be a map of strings'],
    [{ metadata: { 'io.modelcontextprotocol/x': 'y' } }, 'reserved'],
    [{ metadata: { 'io.modelcontextprotocol.skills/x': 'y' } }, 'reserved'],
    [{ 'allowed-tools': 3 }, '"allowed-tools" must be'],
  ])('reject %j', (wrong, message) => {
    expect(() => checkFrontmatter({ ...good, ...wrong })).toThrow(message);
  });

  it('count code points as characters', () => {
    expect(() => checkFrontmatter({ ...good, description: '🌕'.repeat(1024) })).not.toThrow();
  });
});
