import { describe, expect, it } from 'vitest';
import { parseRecording } from './parse-recording.ts';

const head = JSON.stringify({ format: 'ccmcp-recording', version: 1, run: 'r', at: 1, inspector: '0.1.0' });
const warning = (n: number) => JSON.stringify({ n, at: n, type: 'warning', says: `warning ${n}` });

describe('a recording', () => {
  it('is read as the events that it holds', () => {
    expect(parseRecording([head, warning(1), warning(2), ''].join('\n')).timeline).toHaveLength(2);
  });

  it('that was cut off shows what came before', () => {
    expect(parseRecording([head, warning(1), '{"n":2,"at'].join('\n')).timeline).toHaveLength(1);
  });

  it('that is none, or is broken in the middle, is refused with the line', () => {
    expect(() => parseRecording('{"log":{}}')).toThrow('no recording');
    expect(() => parseRecording([head, '{', warning(2)].join('\n'))).toThrow('Line 2');
  });
});
