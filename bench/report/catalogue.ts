import { otherLines } from '../../scripts/other-nodes.mjs';
import type { Settings } from '../settings.ts';
import { commonJsFloor, fetchFloor, floor, shortFloor } from '../subjects.ts';

/** One number that a measurement gives. */
export interface Metric {
  readonly name: string;
  readonly title: string;
  readonly better: 'higher' | 'lower';
  readonly digits: number;
  /** The subject that shows how good it can get. */
  readonly floor?: string;
}

/** A measurement as it is reported. */
export interface Measure {
  readonly id: string;
  readonly title: string;
  readonly metrics: readonly Metric[];
}

const rate: Metric = { name: 'perSecond', title: 'per second', better: 'higher', digits: 0, floor };
const cpu: Metric = { name: 'cpuUs', title: 'CPU µs each', better: 'lower', digits: 1, floor };
const p50: Metric = { name: 'p50Us', title: 'p50 µs', better: 'lower', digits: 0, floor };
const p99: Metric = { name: 'p99Us', title: 'p99 µs', better: 'lower', digits: 0, floor };
/** The fewer there are, the less each turn can share among them. */
const perTurn: Metric = { name: 'perTurn', title: 'calls per turn of the loop', better: 'higher', digits: 1 };
const bytes: Metric = { name: 'bytes', title: 'bytes each', better: 'lower', digits: 0 };

/** All measurements of a run, in the order of the report. */
export function catalogue(settings: Settings): Measure[] {
  return [
    {
      id: 'start',
      title: 'Start-up on stdio: from spawn to `initialize` answered',
      metrics: [
        { name: 'ms', title: 'ms', better: 'lower', digits: 1, floor: 'node -e 0' },
        { name: 'cpuMs', title: 'CPU ms', better: 'lower', digits: 1, floor },
        { name: 'residentMb', title: 'resident MB', better: 'lower', digits: 1, floor: 'idle Node' },
      ],
    },
    ...otherLines.map((line) => ({
      id: `start node ${line}`,
      title: `Start-up on stdio with Node ${line}`,
      metrics: [
        { name: 'ms', title: 'ms', better: 'lower', digits: 1, floor },
        { name: 'cpuMs', title: 'CPU ms', better: 'lower', digits: 1, floor },
      ] as const,
    })),
    {
      id: 'first',
      title: 'The first `tools/call`, stdio',
      metrics: [
        { name: 'firstCallMs', title: '50 ms after the handshake, ms', better: 'lower', digits: 2, floor },
        { name: 'backToBackMs', title: 'spawn to answer, back to back, ms', better: 'lower', digits: 1, floor },
      ],
    },
    { id: 'stdio handshake', title: 'stdio, `tools/call`, 64 in flight', metrics: [rate, cpu] },
    { id: 'stdio 2026-07-28', title: 'stdio, `tools/call`, 64 in flight, 2026-07-28', metrics: [rate, cpu] },
    { id: 'latency handshake', title: 'stdio, `tools/call`, one in flight', metrics: [p50, p99] },
    { id: 'latency 2026-07-28', title: 'stdio, `tools/call`, one in flight, 2026-07-28', metrics: [p50, p99] },
    { id: 'list', title: 'stdio, `tools/list` with 52 tools', metrics: [rate, cpu] },
    ...settings.payloadsMb.map((megabytes) => ({
      id: `payload ${megabytes}`,
      title: `stdio, echo of ${megabytes} MB`,
      metrics: [
        { name: 'cpuMsPerMb', title: 'CPU ms per MB', better: 'lower', digits: 2, floor },
        { name: 'msPerMb', title: 'ms per MB', better: 'lower', digits: 2, floor },
      ] as const,
    })),
    ...['stateless', 'session', '2026-07-28'].flatMap((mode) => [
      {
        id: `http ${mode}`,
        title: `HTTP, \`tools/call\`, 50 connections, ${mode}`,
        metrics: [rate, cpu, p50, p99, perTurn, bytes],
      },
      {
        id: `http ${mode}, one connection`,
        title: `HTTP, \`tools/call\`, one connection, ${mode}`,
        metrics: [rate, cpu, p50, p99, perTurn],
      },
      {
        id: `http ${mode}, own client`,
        title: `HTTP, \`tools/call\`, 50 connections, ${mode}, loaded by our own client`,
        metrics: [rate, cpu, p50, p99, perTurn],
      },
    ]),
    {
      id: 'watching',
      title: 'HTTP, `tools/call`, 50 connections, 2026-07-28, watched',
      metrics: [rate, cpu, p50, p99].map((metric) => ({ ...metric, floor: 'ccmcp' })),
    },
    ...settings.toolCounts.map((tools) => ({
      id: `tools ${tools}`,
      title: `${tools} registered tools, stdio`,
      metrics: [
        { name: 'startMs', title: 'start-up ms', better: 'lower', digits: 1, floor },
        { name: 'firstListMs', title: 'first list ms', better: 'lower', digits: 1, floor },
        p50,
      ] as const,
    })),
    ...settings.sessionCounts.map((sessions) => ({
      id: `sessions ${sessions}`,
      title: `${sessions} open HTTP sessions`,
      metrics: [{ name: 'heapKb', title: 'live heap KB per session', better: 'lower', digits: 2 } as const, cpu],
    })),
    {
      id: 'auth call',
      title: 'HTTP, `tools/call`, without tokens and with one that was checked',
      metrics: [rate, cpu],
    },
    {
      id: 'auth costs',
      title: 'Access tokens: CPU time of all threads, and memory',
      metrics: [
        { name: 'rs256Times', title: 'first check, RS256, × the signature', better: 'lower', digits: 2 },
        { name: 'es256Times', title: 'first check, ES256, × the signature', better: 'lower', digits: 2 },
        { name: 'againUs', title: 'later checks, µs', better: 'lower', digits: 1 },
        { name: 'dpopTimes', title: 'call with a proof × bare proof and call', better: 'lower', digits: 2 },
        { name: 'verdictsMb', title: 'MB of 10 000 checked tokens', better: 'lower', digits: 2 },
      ],
    },
    ...clientMeasures(),
    {
      id: 'size',
      title: 'Installed size',
      metrics: [
        { name: 'megabytes', title: 'MB', better: 'lower', digits: 2 },
        { name: 'packages', title: 'packages', better: 'lower', digits: 0 },
      ],
    },
  ];
}

/** What clients do, in the era of the handshake and after it, over either transport. */
function clientMeasures(): Measure[] {
  const eras = ['handshake', '2026-07-28'];
  const reached = ['stdio', 'http'].flatMap((transport) => eras.map((era) => ({ transport, era })));
  const named = (transport: string, era: string): string =>
    `client on ${transport === 'http' ? 'HTTP' : transport}${era === 'handshake' ? '' : `, ${era}`}`;
  return [
    ...reached.flatMap(({ transport, era }) =>
      [1, 64].map((inFlight) => ({
        id: `client ${transport} ${era} ${inFlight}`,
        title: `${named(transport, era)}: \`tools/call\`, ${inFlight === 1 ? 'one' : inFlight} in flight`,
        metrics: [rate, cpu],
      })),
    ),
    ...reached.map(({ transport, era }) => ({
      id: `client connect ${transport} ${era}`,
      title: `${named(transport, era)}: connecting, and a first call`,
      metrics: [
        { name: 'ms', title: 'ms', better: 'lower', digits: 1, floor },
        { name: 'cpuMs', title: 'CPU ms', better: 'lower', digits: 2, floor },
      ] as const,
    })),
    ...eras.map((era) => ({
      id: `client memory ${era}`,
      title: `${named('http', era)}: memory of open connections`,
      metrics: [
        { name: 'heapKb', title: 'live heap KB each', better: 'lower', digits: 1, floor },
        { name: 'residentMb', title: 'resident MB with all', better: 'lower', digits: 1, floor },
      ] as const,
    })),
  ];
}

/** Everyone who may appear in a table, floors first. */
export function names(subjects: readonly { readonly name: string }[]): string[] {
  const floors = ['node -e 0', 'idle Node', commonJsFloor, shortFloor];
  return [...floors, ...subjects.map(({ name }) => name), fetchFloor, 'ccmcp command'];
}
