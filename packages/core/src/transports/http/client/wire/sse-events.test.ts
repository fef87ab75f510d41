import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEvents, type StreamEvent } from './sse-events.ts';

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
  yield bytes.subarray(from);
}

async function read(text: string, cuts: readonly number[] = [], max = 10_000): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of parseEvents(pieces(new TextEncoder().encode(text), cuts), max)) events.push(event);
  return events;
}

describe('an event stream', () => {
  it.each<[string, string, StreamEvent[]]>([
    ['data', 'data: a\n\n', [{ event: 'message', data: 'a' }]],
    ['data of several lines', 'data: a\ndata:b\ndata\n\n', [{ event: 'message', data: 'a\nb\n' }]],
    ['a name', 'event: endpoint\ndata: /x\n\n', [{ event: 'endpoint', data: '/x' }]],
    [
      'a name and an id for one event only',
      'event: e\nid: 1\ndata: a\n\ndata: b\n\n',
      [
        { event: 'e', id: '1', data: 'a' },
        { event: 'message', data: 'b' },
      ],
    ],
    ['an id and a pause without data', 'id: 7\nretry: 500\ndata:\n\n', [{ event: 'message', id: '7', retryMs: 500 }]],
    ['comments', ': hello\n\n:\n\ndata: a\n\n', [{ event: 'message', data: 'a' }]],
    ['a pause that is no number', 'retry: soon\ndata: a\n\n', [{ event: 'message', data: 'a' }]],
    ['a last event without its end', 'data: a\n\ndata: b\n', [{ event: 'message', data: 'a' }]],
    ['fields that nobody knows', 'x: 1\ndata: a\n\n', [{ event: 'message', data: 'a' }]],
  ])('may have %s', async (_, text, expected) => {
    expect(await read(text)).toEqual(expected);
  });

  it('is parsed alike for all chunk boundaries and line endings', async () => {
    const text = 'id: 1\ndata: grüße 🌒\n\n: x\n\nevent: e\ndata: a\ndata: b\n\n';
    const expected = await read(text);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat({ max: text.length }), { maxLength: 8 }),
        async (lineEnd, cuts) => {
          // A last CR may still be followed by LF, so an event marks the end.
          const written = `${text}: end\n`.replaceAll('\n', lineEnd);
          expect(await read(written, cuts)).toEqual(expected);
        },
      ),
    );
  });

  it('rejects an event that is too long', async () => {
    await expect(read(`data: ${'x'.repeat(200)}`, [50, 100, 150], 100)).rejects.toThrow('longer than 100 characters');
    await expect(read('data: x\n'.repeat(30), [50, 100, 150, 200], 100)).rejects.toThrow('longer than 100 characters');
    expect(await read('data: 12345678\n\n'.repeat(50), [100, 200, 300, 400, 500, 600, 700], 250)).toHaveLength(50);
  });
});
