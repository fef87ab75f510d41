import { describe, expect, it } from 'vitest';
import { FileError } from './file-error.ts';
import { applyEdits, type Edit } from './text-edits.ts';

function edited(text: string, ...edits: [oldText: string, newText: string, all?: boolean][]): string {
  return applyEdits(
    text,
    edits.map(([oldText, newText, all = false]): Edit => ({ oldText, newText, all })),
  ).text;
}

describe('edits', () => {
  it('replace exact text, and count the replacements', () => {
    expect(applyEdits('one two three', [{ oldText: 'two', newText: '2' }])).toEqual({
      text: 'one 2 three',
      replacements: 1,
    });
    expect(edited('one two', ['one ', ''])).toBe('two');
  });

  it('are applied in order, each to the result of the one before', () => {
    expect(edited('a', ['a', 'b'], ['b', 'c'], ['c', 'done'])).toBe('done');
  });

  it('insert the new text literally', () => {
    expect(edited('price: X', ['X', "$& $1 $$ $' $`"])).toBe("price: $& $1 $$ $' $`");
    expect(edited('a.c abc', ['a.c', 'x'])).toBe('x abc');
  });

  it('need a unique match, unless all is set', () => {
    const text = 'x\ny\nx\n\nx\n';
    expect(() => edited(text, ['x', 'z'])).toThrow(
      'old_text is in the file 3 times (lines 1, 3, 5): give more of the text around the one you mean, or set "all"',
    );
    expect(edited(text, ['x', 'z', true])).toBe('z\ny\nz\n\nz\n');
    expect(applyEdits(text, [{ oldText: 'x', newText: 'z', all: true }]).replacements).toBe(3);
    expect(edited('aaaa', ['aa', 'b', true])).toBe('bb');
  });

  it('are all rejected if one fails, which the error names', () => {
    expect(() => edited('a b', ['a', 'c'], ['no', 'x'])).toThrow(FileError);
    expect(() => edited('a b', ['a', 'c'], ['no', 'x'])).toThrow(/^old_text of edit 2 is not in the file/);
    expect(() => edited('a', ['', 'x'])).toThrow('old_text is empty');
    expect(() => edited('a', ['a', 'a'])).toThrow('there is nothing to change');
  });

  it('give a hint if only white space differs, or only the beginning matches', () => {
    const text = 'function f() {\n\treturn 1;\n}\n';
    expect(() => edited(text, ['function f() {\n  return 1;\n}', 'x'])).toThrow(
      'It is there with other white space, at line 1: "function f() {"',
    );
    expect(() => edited(text, ['  return 1;', 'x'])).toThrow('at line 2: "\\\\treturn 1;"');
    expect(() => edited(text, ['function f() {\n  return 2;\n}', 'x'])).toThrow(
      'Only its beginning is there, at line 1',
    );
    expect(() => edited(text, ['f( )', 'x'])).toThrow('It is there with other white space, at line 1');
    expect(() => edited(text, ['nowhere', 'x'])).toThrow('read the file first');
  });

  it('adapt line ends to a file with CR LF throughout', () => {
    const text = 'one\r\ntwo\r\nthree\r\n';
    expect(edited(text, ['one\ntwo', '1\n2'])).toBe('1\r\n2\r\nthree\r\n');
    expect(edited(text, ['two', '2\n2'])).toBe('one\r\n2\r\n2\r\nthree\r\n');
    expect(edited(text, ['one\r\n', '1\r\n'])).toBe('1\r\ntwo\r\nthree\r\n');
  });

  it('keep line ends in any other file', () => {
    expect(edited('a\r\nb\nc\n', ['b\nc', 'x\ny'])).toBe('a\r\nx\ny\n');
    expect(() => edited('a\r\nb\nc\n', ['a\nb', 'x'])).toThrow('is not in the file');
    expect(edited('a\nb\n', ['a', 'x\r\ny'])).toBe('x\r\ny\nb\n');
  });

  it('leave a byte order mark where it is', () => {
    expect(edited('\ufeffa\n', ['a', 'b'])).toBe('\ufeffb\n');
  });

  it('reject a result above 1 MB before building it', () => {
    const text = 'a'.repeat(1024 * 1024);
    expect(() => edited(text, ['a', 'b'.repeat(1_000_000), true])).toThrow('larger than 1 MB');
    expect(() => edited('x', ['x', 'é'.repeat(600_000)])).toThrow('larger than 1 MB');
    expect(edited('x', ['x', 'e'.repeat(600_000)])).toHaveLength(600_000);
  });
});
