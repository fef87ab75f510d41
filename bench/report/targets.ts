import type { Figure, Samples } from '../figures.ts';
import { floor, shortFloor } from '../subjects.ts';

/** A target and what was reached. */
export interface Reached {
  readonly title: string;
  readonly bound: 'at least' | 'at most';
  readonly target: number;
  readonly value: number;
  readonly met: boolean;
}

interface Target {
  readonly title: string;
  readonly bound: 'at least' | 'at most';
  readonly target: number;
  value(samples: Samples): Figure | undefined;
}

const ours = 'ccmcp';

function ratio(measure: string, metric: string, base: string = floor, baseMeasure: string = measure): Target['value'] {
  return (samples) => samples.ratio(measure, ours, metric, { subject: base, measure: baseMeasure });
}

function atLeast(target: number, title: string, value: Target['value']): Target {
  return { title, bound: 'at least', target, value };
}

function atMost(target: number, title: string, value: Target['value']): Target {
  return { title, bound: 'at most', target, value };
}

const targets: readonly Target[] = [
  atMost(1.2, 'start-up × `node -e 0`', ratio('start', 'ms', 'node -e 0')),
  atMost(1.2, 'start-up of the `ccmcp` command × `node -e 0`', (samples) =>
    samples.ratio('start', 'ccmcp command', 'ms', { subject: 'node -e 0' }),
  ),
  atMost(6, 'memory after `initialize` above idle Node, MB', memoryAboveIdle),
  atLeast(0.8, 'stdio calls, share of the bare loop', ratio('stdio handshake', 'perSecond')),
  atLeast(
    0.7,
    'stdio calls 2026-07-28, share of the bare loop with short requests',
    ratio('stdio 2026-07-28', 'perSecond', shortFloor),
  ),
  atMost(1.4, 'stdio CPU per call × bare loop', ratio('stdio handshake', 'cpuUs')),
  atMost(
    1.6,
    'stdio CPU per call 2026-07-28 × bare loop with short requests',
    ratio('stdio 2026-07-28', 'cpuUs', shortFloor),
  ),
  atMost(1.1, 'stdio latency × bare loop', ratio('latency handshake', 'p50Us')),
  atLeast(2, '`tools/list` × stringifying it each time', ratio('list', 'perSecond')),
  atLeast(0.95, 'HTTP stateless, share of bare `node:http`', ratio('http stateless', 'perSecond')),
  atLeast(0.95, 'HTTP session, share of bare `node:http`', ratio('http session', 'perSecond')),
  atLeast(0.85, 'HTTP 2026-07-28, share of bare `node:http`', ratio('http 2026-07-28', 'perSecond')),
  atMost(1.15, 'HTTP stateless CPU × bare `node:http`', ratio('http stateless', 'cpuUs')),
  atMost(1.15, 'HTTP session CPU × bare `node:http`', ratio('http session', 'cpuUs')),
  atMost(1.35, 'HTTP 2026-07-28 CPU × bare `node:http`', ratio('http 2026-07-28', 'cpuUs')),
  atMost(1.1, '8 MB over stdio, CPU × bare loop', ratio('payload 8', 'cpuMsPerMb')),
  atMost(0.6, 'live heap per open session, KB', (samples) => samples.figure('sessions 5000', ours, 'heapKb')),
  atMost(1.1, 'call latency at 10 000 tools × at 10', ratio('tools 10000', 'p50Us', ours, 'tools 10')),
  atMost(1.1, 'first list of 10 000 × stringifying it', ratio('tools 10000', 'firstListMs')),
  ...['stdio', 'http'].flatMap((transport) =>
    ['handshake', '2026-07-28'].flatMap((era) =>
      [1, 64].flatMap((inFlight) => clientTargets(`client ${transport} ${era} ${inFlight}`)),
    ),
  ),
  atMost(1, 'installed size, MB', (samples) => samples.figure('size', ours, 'megabytes')),
  atMost(2, 'installed packages', (samples) => samples.figure('size', ours, 'packages')),
];

/** A client makes at least seven calls where a bare one makes ten, and more than any peer. */
function clientTargets(measure: string): Target[] {
  return [
    atLeast(0.7, `${measure} in flight, share of a bare client`, ratio(measure, 'perSecond')),
    atMost(1.43, `${measure} in flight, CPU × a bare client`, ratio(measure, 'cpuUs')),
  ];
}

/** The targets that this run can tell about, with what was reached. */
export function reached(samples: Samples): Reached[] {
  return targets.flatMap(({ title, bound, target, value }) => {
    const median = value(samples)?.median;
    if (median === undefined || Number.isNaN(median)) return [];
    return [{ title, bound, target, value: median, met: bound === 'at least' ? median >= target : median <= target }];
  });
}

function memoryAboveIdle(samples: Samples): Figure | undefined {
  const own = samples.figure('start', ours, 'residentMb');
  const idle = samples.figure('start', 'idle Node', 'residentMb');
  if (own === undefined || idle === undefined) return undefined;
  const above = own.median - idle.median;
  return { median: above, low: above, high: above };
}
