import { describe, expect, it } from 'vitest';
import { parseRecording } from './recordings.ts';

const head = JSON.stringify({ format: 'ccmcp-recording', version: 1, run: 'r', at: 1, inspector: '0.1.0' });
const warning = (n: number) => JSON.stringify({ n, at: n, type: 'warning', message: `warning ${n}` });

describe('a recording', () => {
  it('is parsed into its events', () => {
    expect(parseRecording([head, warning(1), warning(2), ''].join('\n')).timeline.events).toHaveLength(2);
  });

  it('shows everything before a truncated line', () => {
    expect(parseRecording([head, warning(1), '{"n":2,"at'].join('\n')).timeline.events).toHaveLength(1);
  });

  it('is rejected if it has no header or an invalid line', () => {
    expect(() => parseRecording('{"log":{}}')).toThrow('not a recording');
    expect(() => parseRecording([head, '{', warning(2)].join('\n'))).toThrow('Line 2');
  });
});
