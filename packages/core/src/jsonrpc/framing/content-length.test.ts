import { describe, expect, it } from 'vitest';
import { contentLengthFraming } from './content-length.ts';
import { readAll } from './fixtures/read-all.ts';

const read = (...chunks: (string | Uint8Array)[]) =>
  readAll(contentLengthFraming(100), chunks).map((item) => (typeof item === 'string' ? item : item.problem));

describe('Content-Length framing', () => {
  it('frames with the length in bytes', () => {
    expect(contentLengthFraming(100).frame('"é"')).toBe('Content-Length: 4\r\n\r\n"é"');
  });

  it('ignores other headers and the case of names', () => {
    expect(read('Content-Type: x; charset=utf-8\r\nCONTENT-LENGTH : 2\r\nX-Content-Length: 9\r\n\r\n{}')).toEqual([
      '{}',
    ]);
  });

  it('skips blank lines between messages, and a byte order mark before the first', () => {
    expect(read('\uFEFFContent-Length: 1\r\n\r\n1\r\n\r\nContent-Length: 1\r\n\r\n2\n')).toEqual(['1', '2']);
  });

  it('returns an empty message, which needs an error response', () => {
    expect(read('Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1')).toEqual(['', '1']);
  });

  it.each([
    ['no length', 'Content-Type: x\r\n\r\n'],
    ['a negative length', 'Content-Length: -5\r\n\r\n'],
    ['a length that is no number', 'Content-Length: 0x10\r\n\r\n'],
    ['an empty length', 'Content-Length:\r\n\r\n'],
    ['two different lengths', 'Content-Length: 5\r\nContent-Length: 7\r\n\r\n'],
    ['headers over 8 KiB', `Content-Length: 7\r\n${'X: y\r\n'.repeat(1500)}\r\n`],
    ['headers over 8 KiB without a line end', 'x'.repeat(9000)],
  ])('reports %s, and continues at the next header', (_, headers) => {
    expect(read(`${headers}{"a":1}Content-Length: 1\r\n\r\n1`)).toEqual(['header', '1']);
  });

  it.each([
    ['no length', 'Content-Type: x\r\n\r\n', 'the headers lack Content-Length'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 7\r\n\r\n', 'the headers give two different lengths'],
    ['a length that is no number', 'Content-Length: 0x10\r\n\r\n', 'Content-Length is not a number of bytes'],
    ['headers without end', 'x'.repeat(8193), 'the headers are longer than 8192 bytes'],
  ])('reports %s as early as possible', (_, headers, message) => {
    const framing = contentLengthFraming(100);
    framing.push(Buffer.from(headers));
    expect(framing.next()).toEqual({ problem: 'header', message });
  });

  it('accepts headers of up to 8192 bytes, whatever the length of the message', () => {
    const text = `"${'x'.repeat(20_000)}"`;
    const headers = (length: number) => {
      const [first, last] = [`Content-Length: ${text.length}\r\n`, '\r\n\r\n'];
      return `${first}X: ${'y'.repeat(length - first.length - last.length - 3)}${last}`;
    };
    expect(readAll(contentLengthFraming(30_000), [`${headers(8192)}${text}`])).toEqual([text]);
    expect(readAll(contentLengthFraming(30_000), [`${headers(8193)}${text}`])).toMatchObject([{ problem: 'header' }]);
  });

  it('skips all kinds of whitespace between messages', () => {
    expect(read('Content-Length: 1\r\n\r\n1 \t\r\n\tContent-Length: 1\r\n\r\n2 Content-Length: 1\r\n\r\n3')).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('does not treat a line of one character among the headers as blank', () => {
    expect(read('Content-Length: 1\r\nX\nY: z\r\n\r\n1')).toEqual(['1']);
  });

  describe('after invalid headers', () => {
    const senseless = 'Content-Length: x\r\n\r\n';

    it('reports them once, whatever follows', () => {
      expect(read(senseless)).toEqual(['header']);
      expect(read(`${senseless}rubbish`)).toEqual(['header']);
      expect(read(senseless, 'rubbish\n\n', 'and\r\n\r\n', 'more\n\n')).toEqual(['header']);
    });

    it.each([
      ['a short header', 'Content-', 'Length: 1\r\n'],
      ['a header byte by byte', ...'Content-Length: 1\r\n'.split('')],
      ['the longest header', `content-LENGTH:${' '.repeat(16)}0000000000000001${'\t'.repeat(16)}\r`, '\n'],
    ])('finds %s in pieces', (_, ...pieces) => {
      expect(read(senseless, 'rubbish', ...pieces, '\r\n1')).toEqual(['header', '1']);
      expect(read(senseless, ...pieces, '\r\n1')).toEqual(['header', '1']);
      expect(read(`${senseless}${'rubbish'.repeat(50)}`, ...pieces, '\r\n1')).toEqual(['header', '1']);
    });
  });

  it('accepts a message of exactly the limit', () => {
    expect(readAll(contentLengthFraming(4), ['Content-Length: 4\r\n\r\n1234'])).toEqual(['1234']);
    expect(readAll(contentLengthFraming(3), ['Content-Length: 4\r\n\r\n1234'])).toMatchObject([
      { problem: 'oversize' },
    ]);
  });

  it('accepts a repeated header with the same length', () => {
    expect(read('Content-Length: 1\r\nContent-Length: 1\r\n\r\n1')).toEqual(['1']);
  });

  it('reports an oversized message as soon as its header arrives, and skips it', () => {
    const framing = contentLengthFraming(4);
    framing.push(Buffer.from('Content-Length: 5\r\n\r\n'));
    expect(framing.next()).toEqual({ problem: 'oversize', message: 'the message is longer than 4 bytes' });
    framing.push(Buffer.from('12345Content-Length: 1\r\n\r\n1'));
    expect(framing.next()).toBe('1');
  });

  it('reports invalid UTF-8 for its own message only', () => {
    expect(read('Content-Length: 1\r\n\r\n', Buffer.from([0xff]), 'Content-Length: 1\r\n\r\n1')).toEqual([
      'encoding',
      '1',
    ]);
  });

  it('reports that the input ended inside a message', () => {
    const problem = { problem: 'header', message: 'the input ended inside a message' };
    expect(readAll(contentLengthFraming(100), ['Content-Length: 3\r\n\r\n{}'])).toEqual([problem]);
    expect(readAll(contentLengthFraming(100), ['Content-Len'])).toEqual([problem]);
  });
});
