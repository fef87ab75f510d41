import { describe, expect, it } from 'vitest';
import { createFraming } from './detect.ts';
import { readAll } from './fixtures/read-all.ts';

const read = (...chunks: string[]) => readAll(createFraming('auto', 1000), chunks);

describe('detected framing', () => {
  it('is headers when the first bytes are those of a header, in any case (SF-14)', () => {
    expect(read('content-length: 2\r\n\r\n{}')).toEqual(['{}']);
    expect(read('CONTENT-TYPE: x\r\ncontent-length: 2\r\n\r\n{}')).toEqual(['{}']);
  });

  it('is lines for anything else', () => {
    expect(read('{}\n')).toEqual(['{}']);
    expect(read('Contents\n')).toEqual(['Contents']);
    expect(read('é\n')).toEqual(['é']);
  });

  it('looks behind a byte order mark and blanks', () => {
    expect(read('\uFEFF \r\n{}\n')).toEqual(['{}']);
    expect(read('\uFEFF\n', 'Content-Length: 2\r\n\r\n{}')).toEqual(['{}']);
  });

  it('waits for the rest of a byte order mark', () => {
    const mark = [...Buffer.from('\uFEFF')].map((byte) => Buffer.from([byte]));
    expect(readAll(createFraming('auto', 1000), [...mark, 'Content-Length: 2\r\n\r\n{}'])).toEqual(['{}']);
    expect(readAll(createFraming('auto', 1000), [...mark, '{}\n'])).toEqual(['{}']);
  });

  it('waits while the bytes could be either, and settles on lines at the end of input', () => {
    const framing = createFraming('auto', 1000);
    framing.push(Buffer.from('Con'));
    expect(framing.next()).toBeUndefined();
    framing.end();
    expect(framing.next()).toBe('Con');
  });

  it('frames answers as the messages came, and as lines before any came', () => {
    const framing = createFraming('auto', 1000);
    expect(framing.frame('{}')).toBe('{}\n');
    framing.push(Buffer.from('Content-Length: 2\r\n\r\n{}'));
    expect(framing.frame('{}')).toBe('Content-Length: 2\r\n\r\n{}');
  });
});
