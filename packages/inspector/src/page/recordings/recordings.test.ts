import { recordingWriter } from '@ccmcp/core/recording';
import { describe, expect, it } from 'vitest';
import { parseRecording } from './recordings.ts';

const head = JSON.stringify({ format: 'ccmcp-recording', version: 1, run: 'r', at: 1, inspector: '0.1.0' });
const warning = (n: number) => JSON.stringify({ n, at: n, type: 'warning', message: `warning ${n}` });

describe('a recording', () => {
  it('is parsed into its events', () => {
    expect(parseRecording([head, warning(1), warning(2), ''].join('\n')).timeline.events).toHaveLength(2);
  });

  it('of ccmcp record is shown with its connection, messages and exchanges', () => {
    let text = '';
    const writer = recordingWriter({ write: (line) => (text += line), version: '1' });
    const connection = writer.connect({ kind: 'url', label: 'http://127.0.0.1/mcp?token=abc' });
    const exchange = connection.request({ method: 'POST', url: 'http://127.0.0.1/mcp', headers: [['a', 'b']] });
    connection.frame('client', '{"jsonrpc":"2.0","id":"x","method":"ping"}', exchange);
    exchange.response({ status: 200, headers: [] });
    connection.frame('server', '{"jsonrpc":"2.0","id":"x","result":{}}', exchange);
    exchange.end();
    const { connections, timeline } = parseRecording(text);
    expect([...connections.values()]).toMatchObject([{ label: 'http://127.0.0.1/mcp?token=[masked]', kind: 'url' }]);
    expect(timeline.events).toMatchObject([
      { type: 'message', kind: 'request', method: 'ping' },
      { type: 'message', kind: 'result', method: 'ping', answers: 3 },
    ]);
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
