import { describe, expect, it, onTestFinished } from 'vitest';
import { ProtocolError } from '../../jsonrpc/errors.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import { connectDirect } from '../../server/fixtures/direct-client.ts';
import type { LogEntry } from '../../server/log/log.ts';
import { replaceable } from '../../server/replaceable.ts';
import type { Server } from '../../server/server.ts';
import { ToolError } from '../../server/call/tool-error.ts';
import { type Metrics, metrics, type MetricsOptions } from './metrics.ts';

const tools = [
  tool('add', {}, () => 'sum'),
  tool('fail', {}, () => {
    throw new ToolError('no');
  }),
  tool('refuse', {}, () => {
    throw new ProtocolError(4711, 'a code of its own');
  }),
  tool('hang', {}, (_args, { signal }) => {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
  }),
];

function measured(
  settings: Partial<ServerOptions> = {},
  options: MetricsOptions = {},
): { server: Server; metrics: Metrics } {
  const server = createServer({ name: 's', version: '1', tools, ...settings });
  const made = metrics(server, options);
  onTestFinished(() => made.stop());
  return { server, metrics: made };
}

/** The lines of a metric. */
function lines(made: Metrics, name: string): string[] {
  return made
    .text()
    .split('\n')
    .filter((line) => line.startsWith(name));
}

const calling = (name: string): Record<string, unknown> => ({ name, arguments: {} });

describe('the metrics of a server', () => {
  it('count requests by method, tool, revision and outcome', async () => {
    const { server, metrics: made } = measured();
    const client = connectDirect(server);
    await client.request('tools/call', calling('add'));
    await client.request('tools/call', calling('add'));
    await client.request('tools/call', calling('fail'));
    await client.request('tools/list');
    await connectDirect(server, { version: '2024-11-05' }).request('tools/call', calling('add'));
    expect(lines(made, 'ccmcp_requests_total').toSorted()).toEqual([
      'ccmcp_requests_total{method="initialize",tool="",revision="2024-11-05",outcome="ok"} 1',
      'ccmcp_requests_total{method="tools/call",tool="add",revision="2024-11-05",outcome="ok"} 1',
      'ccmcp_requests_total{method="tools/call",tool="add",revision="2026-07-28",outcome="ok"} 2',
      'ccmcp_requests_total{method="tools/call",tool="fail",revision="2026-07-28",outcome="tool-error"} 1',
      'ccmcp_requests_total{method="tools/list",tool="",revision="2026-07-28",outcome="ok"} 1',
    ]);
  });

  it('measure durations', async () => {
    const { server, metrics: made } = measured();
    await connectDirect(server).request('tools/call', calling('add'));
    const labels = 'method="tools/call",tool="add"';
    const counted = lines(made, 'ccmcp_request_duration_seconds');
    expect(counted.at(-1)).toBe(`ccmcp_request_duration_seconds_count{${labels}} 1`);
    expect(counted).toContain(`ccmcp_request_duration_seconds_bucket{${labels},le="+Inf"} 1`);
    expect(counted.at(-2)).toMatch(/_sum\{.*\} 0\.\d+/);
  });

  it('count running requests, and no duration of long-lived ones', async () => {
    const { server, metrics: made } = measured();
    const client = connectDirect(server);
    const answers = [
      client.request('tools/call', calling('hang'), 7),
      client.request('subscriptions/listen', { notifications: {} }, 8),
    ];
    const running = 'ccmcp_requests_running{method="tools/call",tool="hang"}';
    expect(lines(made, 'ccmcp_requests_running')).toContain(`${running} 1`);
    for (const call of client.peer.running.values()) call.cancel();
    for (const answer of answers) await answer;
    expect(lines(made, 'ccmcp_requests_running')).toContain(`${running} 0`);
    expect(lines(made, 'ccmcp_requests_total')).toContain(
      'ccmcp_requests_total{method="tools/call",tool="hang",revision="2026-07-28",outcome="cancelled"} 1',
    );
    expect(lines(made, 'ccmcp_request_duration_seconds').join()).not.toContain('subscriptions/listen');
  });

  it('count errors by code, with one label for custom codes', async () => {
    const { server, metrics: made } = measured({ exceptions: 'protocol-error' });
    const client = connectDirect(server);
    await client.request('no/such');
    await client.request('tools/call', calling('refuse'));
    expect(lines(made, 'ccmcp_request_errors_total').toSorted()).toEqual([
      'ccmcp_request_errors_total{method="other",tool="",code="-32601"} 1',
      'ccmcp_request_errors_total{method="tools/call",tool="refuse",code="other"} 1',
    ]);
  });

  it('have bounded labels: unknown methods and tools share one each (OB-05)', async () => {
    const { server, metrics: made } = measured({}, { process: false });
    const client = connectDirect(server);
    const ask = (number: number): unknown[] => [
      client.request(`made/up-${number}`),
      client.request('tools/call', calling(`made-up-${number}`)),
      client.request('tools/call', { name: { [number]: number } }),
      client.request('prompts/get', { name: `made-up-${number}` }),
      client.request('resources/read', { uri: `made-up://${number}` }),
    ];
    await Promise.all(ask(1));
    const { length } = made.text().split('\n');
    await Promise.all(Array.from({ length: 500 }, (_, number) => ask(number)).flat());
    expect(made.text().split('\n')).toHaveLength(length);
    expect(made.text()).not.toContain('made-up');
    expect(lines(made, 'ccmcp_requests_total')).toContain(
      'ccmcp_requests_total{method="tools/call",tool="other",revision="2026-07-28",outcome="error"} 1002',
    );
  });

  it('have a maximum number of tool labels, also if tools change (OB-05)', async () => {
    const { server, metrics: made } = measured();
    const client = connectDirect(server);
    const max = 200;
    for (let number = 0; number < max + 50; number++) {
      server.tools.add(tool(`t${number}`, {}, () => 'x'));
      await client.request('tools/call', calling(`t${number}`));
      server.tools.remove(`t${number}`);
    }
    const totals = lines(made, 'ccmcp_requests_total');
    expect(totals).toHaveLength(max + 1);
    expect(totals).toContain(
      'ccmcp_requests_total{method="tools/call",tool="other",revision="2026-07-28",outcome="ok"} 50',
    );
  });

  it('continue with a server that replaces another, and know its tools', async () => {
    const { server, replace } = replaceable(createServer({ name: 's', version: '1', tools }));
    const made = metrics(server);
    onTestFinished(() => made.stop());
    await connectDirect(server).request('tools/call', calling('add'));
    replace(createServer({ name: 's', version: '2', tools: [tool('later', {}, () => 'x')] }));
    await connectDirect(server).request('tools/call', calling('later'));
    expect(lines(made, 'ccmcp_requests_total').join()).toMatch(/tool="add".*tool="later"/);
  });

  it('include the process and the server', async () => {
    const { metrics: made } = measured();
    for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_heap_size_used_bytes']) {
      expect(Number(lines(made, name)[0]?.split(' ')[1])).toBeGreaterThan(0);
    }
    expect(lines(made, 'ccmcp_build_info')).toEqual([
      `ccmcp_build_info{version="0.1.0",server="s",server_version="1",node="${process.versions.node}"} 1`,
    ]);
    expect(lines(made, 'ccmcp_handlers_stuck')).toEqual(['ccmcp_handlers_stuck 0']);
  });

  it('omit the process with process: false', () => {
    const { metrics: made } = measured({}, { process: false });
    expect(lines(made, 'process_')).toEqual([]);
  });

  it('include custom sources until they are removed', () => {
    const { metrics: made } = measured();
    const remove = made.add(() => [{ name: 'mine', help: 'Mine.', type: 'gauge', samples: [{ value: 3 }] }]);
    expect(lines(made, 'mine')).toEqual(['mine 3']);
    remove();
    expect(lines(made, 'mine')).toEqual([]);
  });

  it.each([
    { name: 'my metric', help: '', type: 'gauge', samples: [] },
    { name: 'mine', help: '', type: 'gauge', samples: [{ labels: { 'a"b': 'x' }, value: 1 }] },
  ] as const)('drop and report an invalid metric: %o', (family) => {
    const log: LogEntry[] = [];
    const { metrics: made } = measured({ logger: { level: 'error', write: (entry) => void log.push(entry) } });
    made.add(() => [family]);
    expect(made.text()).not.toMatch(/my metric|mine/);
    expect(made.text()).toContain('ccmcp_build_info');
    expect(String(log[0]?.error)).toMatch(/can't be the name of a metric or a label/);
  });

  it('stop counting after stop', async () => {
    const { server, metrics: made } = measured();
    made.stop();
    await connectDirect(server).request('tools/list');
    expect(lines(made, 'ccmcp_requests_total')).toEqual([]);
  });
});
