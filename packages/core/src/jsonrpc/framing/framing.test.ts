import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFraming, type FramingName } from './detect.ts';
import { splitAt, readAll } from './fixtures/read-all.ts';
import { anyText } from '../../../../../test/support/any-text.ts';

const LIMIT = 64;
const places = fc.array(fc.nat(), { maxLength: 12 });
const message = fc
  .oneof(anyText({ maxLength: 20 }), fc.constantFrom('\r', '\u2028', 'é€😀', '\uFFFD', '\uFEFF', ' '))
  .map((text) => JSON.stringify({ text }));
const short = message.filter((text) => Buffer.byteLength(text) <= LIMIT);
const tooLong = fc.integer({ min: LIMIT + 1, max: 4 * LIMIT }).map((length) => 'x'.repeat(length));

const wires: { name: string; reader: FramingName; wrap: (text: string) => string }[] = [
  { name: 'LF lines', reader: 'newline', wrap: (text) => `${text}\n` },
  { name: 'CRLF lines', reader: 'newline', wrap: (text) => `${text}\r\n` },
  { name: 'lines with blank ones between', reader: 'newline', wrap: (text) => `\n${text}\n \r\n` },
  { name: 'detected lines', reader: 'auto', wrap: (text) => `${text}\n` },
  { name: 'lines as framed', reader: 'newline', wrap: createFraming('newline', LIMIT).frame },
  { name: 'headers as framed', reader: 'content-length', wrap: createFraming('content-length', LIMIT).frame },
  { name: 'detected headers', reader: 'auto', wrap: createFraming('content-length', LIMIT).frame },
  {
    name: 'headers in another dress',
    reader: 'content-length',
    wrap: (text) => `\ncontent-TYPE: a/b\ncontent-length:${Buffer.byteLength(text)} \n\n${text}\r\n`,
  },
];

describe.each(wires)('$name', ({ reader, wrap }) => {
  it('returns the same messages, wherever the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), places, (messages, cuts) => {
        const bytes = Buffer.from(messages.map(wrap).join(''));
        expect(readAll(createFraming(reader, 1000), splitAt(bytes, cuts))).toEqual(messages);
      }),
    );
  });

  it('reports each oversized message once, and returns the others', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(short, tooLong), { maxLength: 8 }), places, (messages, cuts) => {
        const bytes = Buffer.from(messages.map(wrap).join(''));
        const found = readAll(createFraming(reader, LIMIT), splitAt(bytes, cuts));
        const kinds = found.map((item) => (typeof item === 'string' ? item : item.problem));
        expect(kinds).toEqual(messages.map((text) => (text.length > LIMIT ? 'oversize' : text)));
      }),
    );
  });
});

describe.each(['auto', 'newline', 'content-length'] as const)('%s', (name) => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom('Content-Length: ', '7', '-', '\r\n', '\r\n\r\n', '\n', '{}', 'é').map((text) => Buffer.from(text)),
  );

  it('survives any bytes, and returns no oversized text', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), places, (pieces, cuts) => {
        for (const item of readAll(createFraming(name, LIMIT), splitAt(Buffer.concat(pieces), cuts))) {
          if (typeof item === 'string') expect(Buffer.byteLength(item)).toBeLessThanOrEqual(LIMIT);
          else expect(item.message).not.toBe('');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('detects the same framing, wherever the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), places, (pieces, cuts) => {
        const bytes = Buffer.concat(pieces);
        expect(readAll(createFraming(name, LIMIT), splitAt(bytes, cuts))).toEqual(
          readAll(createFraming(name, LIMIT), [bytes]),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('buffers a chunk that arrives before the last one was read', () => {
    const framing = createFraming(name, 1000);
    const { frame } = createFraming(name === 'auto' ? 'newline' : name, 1000);
    framing.push(Buffer.from(`${frame('"a"')}${frame('"b"')}${frame('"c"').slice(0, -2)}`));
    expect(framing.next()).toBe('"a"');
    framing.push(Buffer.from(frame('"c"').slice(-2)));
    expect([framing.next(), framing.next(), framing.next()]).toEqual(['"b"', '"c"', undefined]);
  });
});
