import { describe, expect, it } from 'vitest';
import { readAll } from './fixtures/read-all.ts';
import { newlineFraming } from './newline.ts';

const bytes = (...values: number[]) => Buffer.from(values);

describe('newline framing', () => {
  it('serves a message that arrives byte by byte (SF-02, SF-06)', () => {
    const text = '{"text":"é€😀"}';
    expect(
      readAll(
        newlineFraming(1000),
        [...Buffer.from(`${text}\n`)].map((byte) => bytes(byte)),
      ),
    ).toEqual([text]);
  });

  it('skips blank lines but not lines of other invisible characters (SF-05)', () => {
    expect(readAll(newlineFraming(1000), ['\n\r\n \t\n1\n\n', '\0\n\u00A0\n'])).toEqual(['1', '\0', '\u00A0']);
  });

  it('does not take U+2028 for a line end (SF-07)', () => {
    expect(readAll(newlineFraming(1000), ['"\u2028\u0085"\n'])).toEqual(['"\u2028\u0085"']);
  });

  it('drops a byte order mark at the very start only (SF-08)', () => {
    expect(readAll(newlineFraming(1000), ['\uFEFF1\n\uFEFF2\n'])).toEqual(['1', '\uFEFF2']);
    expect(readAll(newlineFraming(1000), ['1\n', '\uFEFF2\n', '\uFEFF'])).toEqual(['1', '\uFEFF2', '\uFEFF']);
    expect(readAll(newlineFraming(1000), [bytes(0xef), bytes(0xbb), bytes(0xbf), '1\n'])).toEqual(['1']);
  });

  it('reports invalid UTF-8 for its own line only (SF-09)', () => {
    const chunk = Buffer.concat([Buffer.from('1\n"\uFFFD"\n"'), bytes(0xff), Buffer.from('"\n2\n')]);
    const encoding = { problem: 'encoding', message: 'the message is not valid UTF-8' };
    expect(readAll(newlineFraming(1000), [chunk])).toEqual(['1', '"\uFFFD"', encoding, '2']);
  });

  it('serves a last line without a line end (SF-17)', () => {
    expect(readAll(newlineFraming(1000), ['1\n2'])).toEqual(['1', '2']);
    expect(readAll(newlineFraming(1), ['2\r'])).toEqual(['2']);
  });

  it('counts bytes, not characters, and not the line end', () => {
    const found = readAll(newlineFraming(4), ['éé\r\nééé\n1234\r', '\n1234\rx\n12345\r\n']);
    expect(found.map((item) => (typeof item === 'string' ? item : item.problem))).toEqual([
      'éé',
      'oversize',
      '1234',
      'oversize',
      'oversize',
    ]);
  });

  it('reports a line that is too long before its end has come', () => {
    const framing = newlineFraming(4);
    framing.push(Buffer.from('12345'));
    expect(framing.next()).toMatchObject({ problem: 'oversize', message: 'the message is longer than 4 bytes' });
    framing.push(Buffer.from('6789'));
    expect(framing.next()).toBeUndefined();
    framing.push(Buffer.from('\n1\n'));
    expect(framing.next()).toBe('1');
  });

  it('waits for one byte more than the limit only where that may be half of a line end', () => {
    const found = (text: string) => {
      const framing = newlineFraming(4);
      framing.push(Buffer.from(text));
      return framing.next();
    };
    expect(found('1234\r')).toBeUndefined();
    expect(found('12345\r')).toMatchObject({ problem: 'oversize' });
    expect(found('1234x')).toMatchObject({ problem: 'oversize' });
  });

  it('serves a line of 16 MB', () => {
    const text = 'x'.repeat(16 * 1024 * 1024);
    const chunks = (function* () {
      for (let i = 0; i < text.length; i += 65_536) yield text.slice(i, i + 65_536);
      yield '\n';
    })();
    expect(readAll(newlineFraming(text.length), chunks)).toEqual([text]);
  });
});
