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

  it('hands over an empty message, which its sender is owed an answer for', () => {
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
  ])('reports %s, and goes on at the next header', (_, headers) => {
    expect(read(`${headers}{"a":1}Content-Length: 1\r\n\r\n1`)).toEqual(['header', '1']);
  });

  it('accepts the same length given twice', () => {
    expect(read('Content-Length: 1\r\nContent-Length: 1\r\n\r\n1')).toEqual(['1']);
  });

  it('reports a message over the limit as soon as its header has come, and skips it', () => {
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

  it('says that the input ended inside a message', () => {
    const problem = { problem: 'header', message: 'the input ended inside a message' };
    expect(readAll(contentLengthFraming(100), ['Content-Length: 3\r\n\r\n{}'])).toEqual([problem]);
    expect(readAll(contentLengthFraming(100), ['Content-Len'])).toEqual([problem]);
  });
});
