import { describe, expect, it } from 'vitest';
import { parseRecording } from './recordings.ts';

const head = JSON.stringify({ format: 'ccmcp-recording', version: 1, run: 'r', at: 1, inspector: '0.1.0' });
const warning = (n: number) => JSON.stringify({ n, at: n, type: 'warning', message: `warning ${n}` });

describe('a recording', () => {
  it('is parsed into its events', () => {
    expect(parseRecording([head, warning(1), warning(2), ''].join('\n')).timeline.events).toHaveLength(2);
  });

  it('shows everything around a truncated line, with a warning', () => {
    const cut = '{"n":2,"at';
    const { timeline, warnings } = parseRecording([head, warning(1), cut, warning(2), cut].join('\n'));
    expect(timeline.events).toHaveLength(4);
    expect([...(warnings.get('')?.keys() ?? [])]).toContain('Line 3 of the recording is truncated, and was skipped');
  });

  it('is rejected if it has no header', () => {
    expect(() => parseRecording('{"log":{}}')).toThrow('not a recording');
  });
});
