import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueAt, removeValue, setValue } from './edit.ts';
import { json } from './json.ts';
import { type Path, type Syntax, NotEditableError } from './syntax.ts';
import { toml } from './toml.ts';
import { yaml } from './yaml.ts';

const entry = { command: '/usr/bin/node', args: ['/opt/ccmcp', 'ccmcp', '--root', '/home/ann/My notes'] };

interface Language {
  name: string;
  syntax: Syntax;
  path: Path;
  /** Files to add an entry to, which must be restored when it is removed. */
  files: Record<string, string>;
}

const languages: Language[] = [
  {
    name: 'JSON',
    syntax: json,
    path: ['servers', 'ccmcp'],
    files: {
      'an empty table': '{\n  "servers": {}\n}\n',
      'an empty table on one line': '{"servers": {}}',
      'another entry': '{\n  "servers": {\n    "a": { "command": "x" }\n  }\n}\n',
      'a trailing comma': '{\n  "servers": {\n    "a": { "command": "x" },\n  },\n}\n',
      'a comment behind the last entry': '{\n  "servers": {\n    "a": {} // the first\n  }\n}\n',
      'a comment behind a trailing comma': '{\n  "servers": {\n    "a": {}, // the first\n  }\n}\n',
      'comments below the last entry': '{\n  "servers": {\n    "a": {}\n    // "b": {}\n    /* more */\n  }\n}\n',
      'a comment in an empty table': '{\n  "servers": {\n    // none yet\n  }\n}\n',
      'a comment where the comma belongs': '{\n  "servers": {\n    "a": {} /* , */\n    , "b": {}\n  }\n}\n',
      tabs: '{\n\t"servers": {\n\t\t"a": {}\n\t}\n}\n',
      'four blanks': '{\n    "servers": {\n        "a": {}\n    }\n}\n',
      CRLF: '{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
      'no line end at its end': '{\n  "servers": {\n    "a": {}\n  }\n}',
      'everything on one line': '{"x":1,"servers":{"a":{"command":"x"}}}',
      'one line with blanks': '{ "servers": { "a": { "command": "x" }, } }\n',
      'odd indentation': '{ "x": 1,\n     "servers": {\n "a": {},\n            "b": {}}\n}\n',
      'a closing brace behind the entry': '{\n  "servers": {\n    "a": {} }\n}\n',
    },
  },
  {
    name: 'TOML',
    syntax: toml,
    path: ['servers', 'ccmcp'],
    files: {
      nothing: '',
      'no table': 'model = "x" # fast\n',
      'no line end at its end': 'model = "x"',
      'comments only': '# Codex\n\n# nothing yet\n',
      'another entry': '[servers.a]\ncommand = "x"\n',
      'more below': '[servers.a]\ncommand = "x" # first\n\n# about profiles\n[profiles.fast]\nmodel = "y"\n',
      'entries in pieces': '[servers.a]\ncommand = "x"\n\n[other]\nb = 1\n\n[servers.a.env]\nK = "v"\n# end\n',
      'a table of tables': '[servers]\na = { command = "x" }\n\n[[list]]\nb = 1\n',
      'dotted keys': 'servers.a.command = "x"\nservers.a.args = []\n',
      'an inline table': 'servers = { a = { command = "x" } } # all\nmodel = "y"\n',
      'an empty inline table': 'servers = {}\nmodel = "y"\n',
      'long texts': '[servers.a]\ncommand = """\n[servers.ccmcp]\n"""\n',
      CRLF: 'model = "x"\r\n\r\n[servers.a]\r\ncommand = "x"\r\n',
      'dates and numbers': 'at = 1979-05-27T07:32:00Z\nn = 0x1F\nf = 1e6\n\n[servers.a]\ncommand = "x"\n',
    },
  },
  {
    name: 'YAML',
    syntax: yaml,
    path: ['servers', 'ccmcp'],
    files: {
      'an empty table': 'servers: {}\nmodel: x\n',
      'an empty table and a comment': 'servers: {} # none\n',
      'another entry': 'model: x\nservers:\n  a:\n    cmd: x\n    args:\n      - one\n      - two # last\n',
      'more below': 'servers:\n  a:\n    cmd: x\n\n# the model\nmodel: x\n',
      'a comment set in': 'servers:\n  a:\n    cmd: x\n    # timeout: 5\n  # b: off\nmodel: x\n',
      'four blanks': 'servers:\n    a:\n        cmd: x\n',
      'lists that are not set in': 'servers:\n  a:\n    args:\n    - one\n    - two\nmodel: x\n',
      braces: 'servers: { a: { cmd: x } }\nmodel: x\n',
      'a block text at its end': 'servers:\n  a:\n    description: |\n      one\n      two\nmodel: x\n',
      'a block text that keeps its end': 'servers:\n  a:\n    description: |+\n      one\n\nmodel: x\n',
      'a key without a value': 'servers:\n  a:\n    cmd: x\n    envs:\nmodel: x\n',
      'no line end at its end': 'servers:\n  a:\n    cmd: x',
      CRLF: 'servers:\r\n  a:\r\n    cmd: x\r\nmodel: x\r\n',
      anchors: 'base: &base\n  cmd: x\nservers:\n  a:\n    <<: *base\n  b: *base\n',
      'a document marker': '---\nservers:\n  a:\n    cmd: x\n',
    },
  },
];

/** True if `text` is `longer` with some parts removed. */
function isPartOf(text: string, longer: string): boolean {
  let place = 0;
  for (const character of text) {
    place = longer.indexOf(character, place) + 1;
    if (place === 0) return false;
  }
  return true;
}

describe.each(languages)('$name', ({ syntax, path, files }) => {
  describe.each(Object.entries(files))('with %s', (_, before) => {
    const install = () => setValue(syntax, before, path, entry);

    it('gets an entry, and keeps every other line', () => {
      const after = install();
      expect(valueAt(syntax.read(after), path)).toEqual(entry);
      const lines = after.split('\n');
      const comments = before.split('\n').filter((line) => /^\s*(#|\/\/|\/\*)/.test(line));
      expect(lines).toEqual(expect.arrayContaining(comments));
      if (!/\{\}|\{ *\}/.test(before)) expect(isPartOf(before, after)).toBe(true);
    });

    it('is byte for byte the same after the entry is removed', () => {
      expect(removeValue(syntax, install(), path)).toBe(before);
    });

    it('keeps its line ends', () => {
      const after = install();
      if (before.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
      else expect(after).not.toContain('\r');
    });

    it('has the entry replaced in place', () => {
      const other = { command: '/usr/bin/other', args: [] };
      const replaced = setValue(syntax, setValue(syntax, before, path, other), path, entry);
      expect(replaced).toBe(install());
    });

    it('gets two entries, and either can be removed', () => {
      const after = install();
      const second = [...path.slice(0, -1), 'second'];
      const both = setValue(syntax, after, second, entry);
      expect(removeValue(syntax, both, second)).toBe(after);
      expect(valueAt(syntax.read(removeValue(syntax, both, path)), second)).toEqual(entry);
      expect(removeValue(syntax, removeValue(syntax, both, path), second)).toBe(before);
    });
  });

  it('accepts any text as a name and as an argument', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => each !== '__proto__');
    fc.assert(
      fc.property(text, fc.array(text), fc.constantFrom(...Object.values(files)), (name, args, before) => {
        const place = [...path.slice(0, -1), name];
        fc.pre(valueAt(syntax.read(before), place) === undefined);
        const value = { command: 'x', args };
        const after = setValue(syntax, before, place, value);
        expect(valueAt(syntax.read(after), place)).toEqual(value);
        expect(removeValue(syntax, after, place)).toBe(before);
      }),
    );
  });

  it.each(['\u00a0', 'a\u2003', '\u3000b', '\ufeff', '\n', 'a\n\n', ' a ', '\t'])(
    'takes a text with blanks at its ends: %j',
    (blank) => {
      for (const before of Object.values(files)) {
        const place = [...path.slice(0, -1), blank];
        const value = { command: 'x', args: [blank] };
        const after = setValue(syntax, before, place, value);
        expect(valueAt(syntax.read(after), place)).toEqual(value);
        expect(removeValue(syntax, after, place)).toBe(before);
      }
    },
  );

  it('ignores the removal of an unknown entry', () => {
    for (const before of Object.values(files)) expect(removeValue(syntax, before, path)).toBe(before);
  });

  it('reports the position of every value', () => {
    for (const before of Object.values(files)) {
      const text = setValue(syntax, before, path, entry);
      const found = syntax.leaves(text).filter((leaf) => leaf.path.slice(0, 2).join() === path.join());
      expect(found.map(({ value }) => value)).toEqual([entry.command, ...entry.args]);
      expect(text.slice(found[0]?.start, found[0]?.end)).toContain(entry.command);
    }
  });
});

describe('removing an entry that is', () => {
  it.each<[string, Syntax, string, string]>([
    ['first', json, '{\n  "servers": {\n    "x": {},\n    "a": {}\n  }\n}', '{\n  "servers": {\n    "a": {}\n  }\n}'],
    [
      'below a comment',
      json,
      '{\n  "servers": {\n    // note\n    "x": {}, "a": {}\n  }\n}',
      '{\n  "servers": {\n    // note\n     "a": {}\n  }\n}',
    ],
    [
      'before a comment on its line',
      json,
      '{\n  "servers": {\n    "a": {},\n    "x": {} // mine\n  }\n}',
      '{\n  "servers": {\n    "a": {}\n     // mine\n  }\n}',
    ],
    ['there twice', json, '{"servers":{"x":1,"x":2,"a":3}}', '{"servers":{"a":3}}'],
    ['first', toml, '[servers.x]\na = 1\n\n[b]\nc = 2\n', '[b]\nc = 2\n'],
    ['in two places', toml, '[servers.x]\na = 1\n[b]\nc = 2\n[servers.x.env]\nd = 3\n', '[b]\nc = 2\n'],
    ['in a table', toml, '[servers]\nx = { a = 1 }\ny = { a = 1 }\n', '[servers]\ny = { a = 1 }\n'],
    ['in dotted keys', toml, 'servers.x.a = 1\nservers.x.b = 2\nc = 3\n', 'c = 3\n'],
    ['first inline', toml, 'servers = { x = { a = 1 }, y = 2 }\n', 'servers = { y = 2 }\n'],
    [
      'first',
      yaml,
      'servers:\n  x:\n    a: 1\n  # about y\n  y:\n    a: 1\n',
      'servers:\n  # about y\n  y:\n    a: 1\n',
    ],
    ['first in braces', yaml, 'servers: { x: { a: 1 }, y: 2 }\n', 'servers: { y: 2 }\n'],
  ])('%s keeps the rest', (_, syntax, before, after) => {
    expect(removeValue(syntax, before, ['servers', 'x'])).toBe(after);
  });
});

describe('a new entry is inserted', () => {
  it.each<[string, Syntax, string, string]>([
    [
      'behind the comments of the last one',
      json,
      '{\n  "servers": {\n    "a": {} // one\n    // "b": {}\n  }\n}',
      '{\n  "servers": {\n    "a": {}, // one\n    // "b": {}\n    "x": 1\n  }\n}',
    ],
    [
      'behind the last one, before what follows',
      toml,
      '[servers.a]\nb = 1 # one\n\n# about c\n[c]\nd = 1\n\n[[e]]\n',
      '[servers.a]\nb = 1 # one\n\n[servers.x]\ny = 1\n\n# about c\n[c]\nd = 1\n\n[[e]]\n',
    ],
    [
      'behind the comments of the last one',
      yaml,
      'servers:\n  a:\n    b: 1\n    # c: 2\n\n# about d\nd: 1\n',
      'servers:\n  a:\n    b: 1\n    # c: 2\n  x:\n    y: 1\n\n# about d\nd: 1\n',
    ],
  ])('%s', (_, syntax, before, after) => {
    expect(setValue(syntax, before, ['servers', 'x'], syntax === json ? 1 : { y: 1 })).toBe(after);
  });

  it('at the position of the entry that it replaces', () => {
    const text = '[servers.x]\ny = 1 # old\n\n[servers.a]\nb = 1\n';
    expect(setValue(toml, text, ['servers', 'x'], { y: 2 })).toBe('[servers.x]\ny = 2 # old\n\n[servers.a]\nb = 1\n');
  });

  it('in the style of its neighbours', () => {
    const text = '{\n\t"servers": {\n\t\t"a": {\n\t\t\t"b": 1\n\t\t}\n\t}\n}';
    expect(setValue(json, text, ['servers', 'x'], { c: [1] })).toContain(
      ',\n\t\t"x": {\n\t\t\t"c": [\n\t\t\t\t1\n\t\t\t]\n\t\t}\n\t}\n}',
    );
    expect(setValue(yaml, 'a:\n    b: 1\n', ['servers', 'x'], { y: 1 })).toBe(
      'a:\n    b: 1\nservers:\n    x:\n        y: 1\n',
    );
  });
});

describe('a file that is empty or has no table yet', () => {
  it.each<[string, Syntax, string, string]>([
    ['nothing', json, '', '{\n  "servers": {\n    "x": {\n      "a": 1\n    }\n  }\n}\n'],
    ['blanks', json, ' \r\n', '{\r\n  "servers": {\r\n    "x": {\r\n      "a": 1\r\n    }\r\n  }\r\n}\r\n'],
    ['a comment', json, '// hello', '// hello\n{\n  "servers": {\n    "x": {\n      "a": 1\n    }\n  }\n}\n'],
    ['an empty object', json, '{}', '{\n  "servers": {\n    "x": {\n      "a": 1\n    }\n  }\n}'],
    ['a setting', json, '{\n  "b": 1\n}', '{\n  "b": 1,\n  "servers": {\n    "x": {\n      "a": 1\n    }\n  }\n}'],
    ['nothing', toml, '', '[servers.x]\na = 1\n'],
    ['nothing', yaml, '', 'servers:\n  x:\n    a: 1\n'],
    ['a comment', yaml, '# hello\n', '# hello\nservers:\n  x:\n    a: 1\n'],
    ['a setting', yaml, 'b: 1\n# end\n', 'b: 1\n# end\nservers:\n  x:\n    a: 1\n'],
    ['a key without a value', yaml, 'servers: # none\nb: 1\n', 'servers: # none\n  x:\n    a: 1\nb: 1\n'],
    ['null', yaml, 'servers: null\nb: 1\n', 'servers:\n  x:\n    a: 1\nb: 1\n'],
  ])('with %s gets its first entry', (_, syntax, before, after) => {
    expect(setValue(syntax, before, ['servers', 'x'], { a: 1 })).toBe(after);
  });
});

describe('a malformed text', () => {
  it.each<[string, Syntax, string, number, number]>([
    ['a missing comma', json, '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['a missing brace', json, '{\n  "a": 1', 2, 9],
    ['a second equals sign', toml, 'a = 1\nb = = 2\n', 2, 5],
    ['a key that is there twice', toml, 'a = 1\na = 2\n', 2, 1],
    ['an open bracket', yaml, 'a: 1\nb: [1, 2\nc: 3\n', 3, 1],
    ['a tab', yaml, 'a:\n\tb: 1\n', 2, 1],
  ])('by %s is rejected with its position', (_, syntax, text, line, column) => {
    expect(() => syntax.read(text)).toThrow(expect.objectContaining({ line, column }));
  });

  it('is never the result of an edit', () => {
    const text = '{"servers":{"x":1},"other":2}';
    const careless: Syntax = { ...json, set: () => '{"servers":{"x":{}}}', remove: () => '{' };
    expect(() => setValue(careless, text, ['servers', 'x'], {})).toThrow(/can not be edited safely/);
    expect(() => removeValue(careless, text, ['servers', 'x'])).toThrow(/can not be edited safely/);
  });

  it.each<[string, Syntax, string]>([
    ['a list', json, '[]'],
    ['a text', json, '{"servers": "none"}'],
    ['null', json, '{"servers": null}'],
    ['a list', toml, 'servers = []'],
    ['a list of tables', toml, '[[servers]]\na = 1\n'],
    ['a list', yaml, '- a\n'],
    ['a text', yaml, 'servers: none\n'],
  ])('with %s in place of the table is rejected', (_, syntax, text) => {
    expect(() => setValue(syntax, text, ['servers', 'x'], {})).toThrow(NotEditableError);
  });

  it.each<[string, Syntax, string]>([
    ['JSON', json, `{"servers":{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`],
    ['JSON that can be parsed', json, `{"servers":{"x":${'['.repeat(200)}${']'.repeat(200)}}}`],
    ['TOML', toml, `servers = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
    ['YAML', yaml, `servers: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
  ])('that is nested too deeply is rejected: %s', (_, syntax, text) => {
    expect(() => syntax.read(text)).toThrow('nested deeper than 100 levels');
    expect(() => setValue(syntax, text, ['servers', 'y'], {})).toThrow('nested deeper than 100 levels');
  });
});
