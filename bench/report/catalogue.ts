import { otherLines } from '../../scripts/other-nodes.mjs';
import { ways } from '../clients/timeline.ts';
import type { Settings } from '../settings.ts';
import {
  bareProxyName,
  emptyPage,
  floor,
  gatewayName,
  listedName,
  oneFileFloor,
  ours,
  taskFloor,
} from '../subjects.ts';

/** A number that a measurement gives. */
export interface Metric {
  readonly name: string;
  readonly title: string;
  readonly better: 'higher' | 'lower';
  readonly digits: number;
  /** The subject that others are compared with. */
  readonly floor?: string | undefined;
}

/** A measurement as it is reported. */
export interface Measure {
  readonly id: string;
  readonly title: string;
  readonly metrics: readonly Metric[];
}

function lower(name: string, title: string, digits: number, base?: string): Metric {
  return { name, title, better: 'lower', digits, floor: base };
}

const rate: Metric = { name: 'perSecond', title: 'per second', better: 'higher', digits: 0, floor };
const cpu = lower('cpuUs', 'CPU µs each', 1, floor);
const p50 = lower('p50Us', 'p50 µs', 0, floor);
const p99 = lower('p99Us', 'p99 µs', 0, floor);
/** The more calls share a turn, the less each costs. */
const perTurn: Metric = { name: 'perTurn', title: 'calls per turn of the loop', better: 'higher', digits: 1 };
const commands = lower('commands', 'commands each', 3);
const modes = ['stateless', 'session', '2026-07-28'];

/** Compares with this library without the feature. */
function againstOurs(...metrics: readonly Metric[]): Metric[] {
  return metrics.map((metric) => ({ ...metric, floor: ours }));
}

function measure(id: string, title: string, ...metrics: readonly Metric[]): Measure {
  return { id, title, metrics };
}

/** All measurements of a run, in the order of the report. */
export function catalogue({ payloadsMb, toolCounts, sessionCounts }: Settings): Measure[] {
  const calls = 'HTTP, `tools/call`, 50 connections';
  return [
    measure(
      'start',
      'Start-up on stdio: from spawn to `initialize` answered',
      lower('ms', 'ms', 1, 'node -e 0'),
      lower('cpuMs', 'CPU ms', 1, oneFileFloor),
      lower('laterCpuMs', 'CPU ms after it', 1),
      lower('residentMb', 'resident MB', 1, 'idle Node'),
    ),
    ...otherLines.map((line) =>
      measure(
        `start node ${line}`,
        `Start-up on stdio with Node ${line}`,
        lower('ms', 'ms', 1, 'node -e 0'),
        lower('cpuMs', 'CPU ms', 1, oneFileFloor),
      ),
    ),
    measure(
      'first',
      'The first `tools/call`, stdio',
      lower('firstCallMs', '50 ms after the handshake, ms', 2, floor),
      lower('backToBackMs', 'spawn to answer, back to back, ms', 1, floor),
    ),
    measure('stdio handshake', 'stdio, `tools/call`, 64 in flight', rate, cpu),
    measure('stdio 2026-07-28', 'stdio, `tools/call`, 64 in flight, 2026-07-28', rate, cpu),
    measure('latency handshake', 'stdio, `tools/call`, one in flight', p50, p99),
    measure('latency 2026-07-28', 'stdio, `tools/call`, one in flight, 2026-07-28', p50, p99),
    measure('list', 'stdio, `tools/list` with 52 tools', rate, cpu),
    ...payloadsMb.map((mb) =>
      measure(
        `payload ${mb}`,
        `stdio, echo of ${mb} MB`,
        lower('cpuMsPerMb', 'CPU ms per MB', 2, floor),
        lower('msPerMb', 'ms per MB', 2, floor),
      ),
    ),
    ...modes.flatMap((mode) => {
      const loaded = [rate, cpu, p50, p99, perTurn];
      return [
        measure(`http ${mode}`, `${calls}, ${mode}`, ...loaded, lower('bytes', 'bytes each', 0)),
        measure(`http ${mode}, one connection`, `HTTP, \`tools/call\`, one connection, ${mode}`, ...loaded),
        measure(`http ${mode}, own client`, `${calls}, ${mode}, loaded by our own client`, ...loaded),
      ];
    }),
    measure('watching', `${calls}, 2026-07-28, watched`, ...againstOurs(rate, cpu, p50, p99)),
    ...['2026-07-28', 'session'].map((mode) =>
      measure(`workers ${mode}`, `${calls}, ${mode}, one process and several`, ...againstOurs(rate, cpu)),
    ),
    ...['', ', busy'].map((busy) =>
      measure(
        `fairness${busy}`,
        `HTTP, callers at a steady pace beside a flood${busy && ', 0.5 ms of work per call'}`,
        { ...p50, floor: 'alone' },
        { ...p99, floor: 'alone' },
        { name: 'served', title: '% served', better: 'higher', digits: 1 },
      ),
    ),
    ...['2026-07-28', 'session'].map((mode) =>
      measure(
        `redis ${mode}`,
        `HTTP with a store in Redis, \`tools/call\`, 50 connections, ${mode}`,
        ...againstOurs(rate, cpu),
        commands,
      ),
    ),
    measure('redis memory', 'Idle sessions in Redis', lower('bytes', 'bytes in Redis each', 0)),
    measure('limits', `${calls}, 2026-07-28, with a rate limit`, ...againstOurs(rate, cpu)),
    ...toolCounts.map((tools) =>
      measure(
        `tools ${tools}`,
        `${tools} registered tools, stdio`,
        lower('startMs', 'start-up ms', 1, floor),
        lower('firstListMs', 'first list ms', 1, floor),
        p50,
      ),
    ),
    ...sessionCounts.map((sessions) =>
      measure(
        `sessions ${sessions}`,
        `${sessions} open HTTP sessions`,
        lower('heapKb', 'live heap KB per session', 2),
        cpu,
      ),
    ),
    measure('sessions used', 'HTTP sessions after a call', lower('heapKb', 'live heap KB per session', 2)),
    measure('tasks beside', 'HTTP, `tools/call` of a plain tool on a server with tasks', ...againstOurs(rate, cpu)),
    measure('tasks beside, in process', 'The same in one process, without sockets', { ...cpu, digits: 3, floor: ours }),
    measure('middleware', 'A call of a tool with 2 KB of text, in one process, without sockets', {
      ...cpu,
      digits: 2,
      floor: ours,
    }),
    measure('tasks work', 'A task, created, run and read, and three ordinary calls, HTTP, memory store', {
      ...cpu,
      floor: taskFloor,
    }),
    measure('tasks waiting', '10 000 tasks that wait', lower('bytes', 'live heap bytes each', 0)),
    measure('tasks redis', 'A task, created, run and read, with a store in Redis', { ...commands, digits: 1 }),
    measure('auth call', 'HTTP, `tools/call`, without a token, with an ignored one, and with a checked one', rate, cpu),
    measure(
      'auth costs',
      'Access tokens: CPU time of all threads, and memory',
      lower('rs256Times', 'first check, RS256, × the signature', 2),
      lower('es256Times', 'first check, ES256, × the signature', 2),
      lower('againUs', 'later checks, µs', 1),
      lower('dpopTimes', 'call with a proof × bare proof and call', 2),
      lower('verdictsMb', 'MB of 10 000 checked tokens', 2),
    ),
    ...clientMeasures(),
    ...gatewayMeasures(),
    ...inspectorMeasures(calls),
    measure('size', 'Installed size', lower('megabytes', 'MB', 2), lower('packages', 'packages', 0)),
  ];
}

function gatewayMeasures(): Measure[] {
  const through = 'Through a gateway (HTTP in front, stdio behind)';
  return [
    measure('gateway call', `${through}: \`tools/call\`, 50 connections`, ...againstOurs(rate, cpu)),
    measure(
      'gateway latency',
      `${through}: one call at a time`,
      lower('addedUs', 'p50 µs above a direct call on stdio', 0, bareProxyName),
    ),
    measure(
      'gateway call, own client',
      `${through}: \`tools/call\`, 50 connections, our own client`,
      ...againstOurs(rate, cpu),
    ),
    measure('gateway large', `${through}: a result of 1 MB`, lower('cpuUs', 'CPU µs each', 0, bareProxyName)),
    measure(
      'gateway start',
      'Start-up on stdio with 50 upstreams, none started: from spawn to `initialize` answered',
      lower('ms', 'ms', 1, ours),
      lower('cpuMs', 'CPU ms', 1, ours),
    ),
    measure(
      'gateway list',
      '`tools/list` over HTTP, 2000 tools, cached',
      { ...rate, floor: listedName },
      { ...cpu, floor: listedName },
    ),
    measure(
      'gateway memory',
      'Idle connections of a gateway to upstreams over HTTP',
      lower('residentKb', 'resident KB each', 0),
      lower('heapKb', 'live heap KB each', 0),
    ),
    measure('gateway peers', `${through}: \`tools/call\`, 8 clients, beside others`, { ...rate, floor: gatewayName }),
  ];
}

function inspectorMeasures(calls: string): Measure[] {
  return [
    measure(
      'inspector weight',
      'The inspector: compressed size of the page, and installed size',
      lower('firstKb', 'KB at first', 1),
      lower('allKb', 'KB of all', 1),
      lower('installedMb', 'MB installed', 2),
    ),
    measure(
      'inspector usable',
      '`ccmcp inspect notes`, then Chromium, until the tools are listed; and Chromium alone',
      lower('ms', 'ms', 0, emptyPage),
      lower('addressMs', 'of these until the address is known, ms', 1),
    ),
    measure(
      'inspector filter',
      'First letter in the filter above 10 000 tools, until drawn',
      lower('filteredMs', 'ms', 1),
    ),
    measure(
      'inspector timeline',
      'A page with 99 000 messages in its timeline, reloaded',
      lower('drawnMs', 'ms to the first rows', 0),
      lower('wholeMs', 'ms to all', 0),
      lower('heapMb', 'live heap MB', 1),
      lower('privateMb', 'private MB of the process', 1),
    ),
    ...ways.map((way) =>
      measure(
        `inspector scroll ${way}`,
        `Scrolling there, ${way}: the longest frame, and the most work between two frames`,
        lower('longestMs', 'ms by the clock', 1),
        lower('workMs', 'ms of CPU time, main thread', 1),
      ),
    ),
    measure('inspector mounted', `${calls}, 2026-07-28, inspector mounted but not opened`, ...againstOurs(rate, cpu)),
  ];
}

function clientMeasures(): Measure[] {
  const eras = ['handshake', '2026-07-28'];
  const combinations = ['stdio', 'http'].flatMap((transport) => eras.map((era) => ({ transport, era })));
  const clientTitle = (transport: string, era: string): string =>
    `client on ${transport === 'http' ? 'HTTP' : transport}${era === 'handshake' ? '' : `, ${era}`}`;
  return [
    ...combinations.flatMap(({ transport, era }) =>
      [1, 64].map((inFlight) =>
        measure(
          `client ${transport} ${era} ${inFlight}`,
          `${clientTitle(transport, era)}: \`tools/call\`, ${inFlight === 1 ? 'one' : inFlight} in flight`,
          rate,
          cpu,
        ),
      ),
    ),
    ...combinations.map(({ transport, era }) =>
      measure(
        `client connect ${transport} ${era}`,
        `${clientTitle(transport, era)}: connecting, and a first call`,
        lower('ms', 'ms', 1, floor),
        lower('cpuMs', 'CPU ms', 2, floor),
      ),
    ),
    ...eras.map((era) =>
      measure(
        `client memory ${era}`,
        `${clientTitle('http', era)}: memory of open connections`,
        lower('heapKb', 'live heap KB each', 1, floor),
        lower('residentMb', 'resident MB with all', 1, floor),
      ),
    ),
  ];
}
