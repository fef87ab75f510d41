import { otherLines } from '../../scripts/other-nodes.mjs';
import type { Figure, Samples } from '../figures.ts';
import { ways } from '../clients/timeline.ts';
import { emptyPage, floor, inspectorName, redisSubject, shortFloor, taskFloor, taskName } from '../subjects.ts';

/** A target and what was reached. */
export interface Reached {
  readonly title: string;
  readonly bound: 'at least' | 'at most';
  readonly target: number;
  /** Of a ratio, the median of the ratios of each round. */
  readonly value: number;
  /** Half of the rounds lie between these. */
  readonly low?: number;
  readonly high?: number;
  /** Of a ratio, that of the two medians, which is something else where rounds lie far apart. */
  readonly ofMedians?: number;
  readonly met: boolean;
}

interface Reading extends Figure {
  readonly ofMedians?: number;
}

interface Target {
  readonly title: string;
  readonly bound: 'at least' | 'at most';
  readonly target: number;
  value(samples: Samples): Reading | undefined;
}

const ours = 'ccmcp';

interface Compared {
  readonly subject?: string;
  readonly base?: string;
  readonly baseMeasure?: string;
}

function ratio(
  measure: string,
  metric: string,
  { subject = ours, base = floor, baseMeasure = measure }: Compared = {},
): Target['value'] {
  return (samples) => {
    const rounds = samples.ratio(measure, subject, metric, { subject: base, measure: baseMeasure });
    const own = samples.figure(measure, subject, metric);
    const other = samples.figure(baseMeasure, base, metric);
    if (rounds === undefined || own === undefined || other === undefined) return undefined;
    return { ...rounds, ofMedians: own.median / other.median };
  };
}

function atLeast(target: number, title: string, value: Target['value']): Target {
  return { title, bound: 'at least', target, value };
}

function atMost(target: number, title: string, value: Target['value']): Target {
  return { title, bound: 'at most', target, value };
}

const startTargets: readonly Target[] = [
  atMost(1.45, 'start-up × `node -e 0`', ratio('start', 'ms', { base: 'node -e 0' })),
  atMost(
    1.2,
    'start-up of the `ccmcp` command × `node -e 0`',
    ratio('start', 'ms', { subject: 'ccmcp command', base: 'node -e 0' }),
  ),
  ...otherLines.map((line) =>
    atMost(1.15, `start-up with Node ${line} × bare loop in ES modules there`, ratio(`start node ${line}`, 'ms')),
  ),
  atMost(2, 'first call 50 ms after the handshake, ms', (samples) => samples.figure('first', ours, 'firstCallMs')),
  atMost(1.5, 'spawn to first call answered, back to back × bare loop', ratio('first', 'backToBackMs')),
  atMost(6, 'memory after `initialize` above idle Node, MB', memoryAboveIdle),
];

const stdioTargets: readonly Target[] = [
  atLeast(0.8, 'stdio calls, share of the bare loop', ratio('stdio handshake', 'perSecond')),
  atLeast(
    0.7,
    'stdio calls 2026-07-28, share of the bare loop with short requests',
    ratio('stdio 2026-07-28', 'perSecond', { base: shortFloor }),
  ),
  atMost(1.15, 'stdio CPU per call × bare loop', ratio('stdio handshake', 'cpuUs')),
  atMost(1.35, 'stdio CPU per call 2026-07-28 × bare loop', ratio('stdio 2026-07-28', 'cpuUs')),
  atMost(
    1.35,
    'stdio CPU per call 2026-07-28 × bare loop with short requests',
    ratio('stdio 2026-07-28', 'cpuUs', { base: shortFloor }),
  ),
  atMost(1.1, 'stdio latency × bare loop', ratio('latency handshake', 'p50Us')),
  atMost(1.1, 'stdio latency 2026-07-28 × bare loop', ratio('latency 2026-07-28', 'p50Us')),
  atLeast(2, '`tools/list` × stringifying it each time', ratio('list', 'perSecond')),
  atMost(1.1, '8 MB over stdio, CPU × bare loop', ratio('payload 8', 'cpuMsPerMb')),
];

/** Loaded by a program that is not ours, against the bare server as most people write one. */
const httpTargets: readonly Target[] = [
  ...(
    [
      ['stateless', 0.95],
      ['session', 0.9],
      ['2026-07-28', 0.85],
    ] as const
  ).map(([mode, share]) =>
    atLeast(share, `HTTP ${mode}, share of bare \`node:http\``, ratio(`http ${mode}`, 'perSecond')),
  ),
  ...(
    [
      ['stateless', 1.1],
      ['session', 1.15],
      ['2026-07-28', 1.25],
    ] as const
  ).map(([mode, times]) => atMost(times, `HTTP ${mode} CPU × bare \`node:http\``, ratio(`http ${mode}`, 'cpuUs'))),
];

/** The same calls of the same server, watched and not. */
const watchingTargets: readonly Target[] = [
  atLeast(
    0.9,
    'HTTP calls with metrics, share of those without',
    ratio('watching', 'perSecond', { subject: 'ccmcp, metrics', base: ours }),
  ),
  atLeast(
    0.9,
    'HTTP calls with metrics and an audit log, share of those without',
    ratio('watching', 'perSecond', { subject: 'ccmcp, metrics + audit', base: ours }),
  ),
];

const redisTargets: readonly Target[] = [
  ...(
    [
      ['2026-07-28', 0.95],
      ['session', 0.8],
    ] as const
  ).map(([mode, share]) =>
    atLeast(
      share,
      `HTTP ${mode} with a store in Redis, share of the memory store`,
      ratio(`redis ${mode}`, 'perSecond', { subject: redisSubject.name, base: ours }),
    ),
  ),
  atMost(0.2, 'commands to Redis for a call in a session', (samples) =>
    samples.figure('redis session', redisSubject.name, 'commands'),
  ),
  atMost(1024, 'memory in Redis for an idle session, bytes', (samples) =>
    samples.figure('redis memory', redisSubject.name, 'bytes'),
  ),
];

const growthTargets: readonly Target[] = [
  atMost(0.6, 'live heap per open session, KB', (samples) => samples.figure('sessions 5000', ours, 'heapKb')),
  atMost(1.5, 'start-up with 10 000 tools × bare loop', ratio('tools 10000', 'startMs')),
  atMost(
    1.1,
    'call latency at 10 000 tools × at 10',
    ratio('tools 10000', 'p50Us', { base: ours, baseMeasure: 'tools 10' }),
  ),
  atMost(1.1, 'first list of 10 000 × stringifying it', ratio('tools 10000', 'firstListMs')),
  // 1 before OAuth, audits, metrics, traces and skills came: docs/performance.md has what it consists of now.
  atMost(1.75, 'installed size, MB', (samples) => samples.figure('size', ours, 'megabytes')),
  atMost(2, 'installed packages', (samples) => samples.figure('size', ours, 'packages')),
];

const taskTargets: readonly Target[] = [
  atLeast(
    0.98,
    'call of a plain tool beside tasks, share of a server without',
    ratio('tasks beside', 'perSecond', { subject: 'ccmcp, tasks', base: ours }),
  ),
  atMost(
    1.02,
    'call of a plain tool beside tasks, CPU in one process × a server without',
    ratio('tasks beside, in process', 'cpuUs', { subject: 'ccmcp, tasks', base: ours }),
  ),
  atMost(
    2,
    'a task made, done and read, CPU × three ordinary calls',
    ratio('tasks work', 'cpuUs', { subject: taskName, base: taskFloor }),
  ),
  atMost(12, 'commands to Redis for a task', (samples) => samples.figure('tasks redis', taskName, 'commands')),
  atMost(2048, 'memory of a waiting task, bytes', (samples) => samples.figure('tasks waiting', taskName, 'bytes')),
];

const authTargets: readonly Target[] = [
  atLeast(
    0.95,
    'call with a checked token, share of the same without',
    ratio('auth call', 'perSecond', { subject: 'checked', base: 'open' }),
  ),
  atMost(1.5, 'first check of a token, RS256, CPU × the signature', (samples) =>
    samples.figure('auth costs', ours, 'rs256Times'),
  ),
  atMost(1.5, 'first check of a token, ES256, CPU × the signature', (samples) =>
    samples.figure('auth costs', ours, 'es256Times'),
  ),
  atMost(1.3, 'call with a proof, CPU × bare proof and call', (samples) =>
    samples.figure('auth costs', ours, 'dpopTimes'),
  ),
  atMost(5, 'memory of 10 000 checked tokens, MB', (samples) => samples.figure('auth costs', ours, 'verdictsMb')),
];

/** Frames are compared by the clock, which a busy machine stops for everybody: the work of the page stands in a row beside each. */
const inspectorTargets: readonly Target[] = [
  atMost(100, 'inspector: page at first, compressed, KB', inspector('weight', 'firstKb')),
  atMost(350, 'inspector: all of the page, compressed, KB', inspector('weight', 'allKb')),
  atMost(3, 'inspector: installed size, MB', inspector('weight', 'installedMb')),
  atMost(
    1.5,
    '`ccmcp inspect` to a usable page × Chromium with an empty page',
    ratio('inspector usable', 'ms', { subject: inspectorName, base: emptyPage }),
  ),
  atMost(50, 'inspector: first letter to 10 000 tools filtered, ms', inspector('filter', 'filteredMs')),
  atMost(300, 'inspector: memory of a page with 99 000 messages, MB', inspector('timeline', 'privateMb')),
  ...ways.flatMap((way) => [
    atMost(50, `inspector: longest frame, ${way}, ms by the clock`, inspector(`scroll ${way}`, 'longestMs')),
    atMost(50, `inspector: most work for a frame, ${way}, ms of CPU time`, inspector(`scroll ${way}`, 'workMs')),
  ]),
  atMost(
    1.02,
    'HTTP CPU with the inspector mounted but not opened × without',
    ratio('inspector mounted', 'cpuUs', { subject: 'ccmcp, inspector mounted', base: ours }),
  ),
];

function inspector(measure: string, metric: string): Target['value'] {
  return (samples) => samples.figure(`inspector ${measure}`, inspectorName, metric);
}

/** A client makes at least seven calls where a bare one makes ten. */
const clientTargets: readonly Target[] = ['stdio', 'http'].flatMap((transport) =>
  ['handshake', '2026-07-28'].flatMap((era) =>
    [1, 64].flatMap((inFlight) => {
      const measure = `client ${transport} ${era} ${inFlight}`;
      return [
        atLeast(0.7, `${measure} in flight, share of a bare client`, ratio(measure, 'perSecond')),
        atMost(1.43, `${measure} in flight, CPU × a bare client`, ratio(measure, 'cpuUs')),
      ];
    }),
  ),
);

const targets: readonly Target[] = [
  ...startTargets,
  ...stdioTargets,
  ...httpTargets,
  ...redisTargets,
  ...clientTargets,
  ...watchingTargets,
  ...taskTargets,
  ...authTargets,
  ...inspectorTargets,
  ...growthTargets,
];

/** The targets that this run can tell about, with what was reached. */
export function reached(samples: Samples): Reached[] {
  return targets.flatMap(({ title, bound, target, value: read }) => {
    const reading = read(samples);
    if (reading === undefined || Number.isNaN(reading.median)) return [];
    const { median: value, ...others } = reading;
    return [{ title, bound, target, value, ...others, met: bound === 'at least' ? value >= target : value <= target }];
  });
}

function memoryAboveIdle(samples: Samples): Figure | undefined {
  const own = samples.figure('start', ours, 'residentMb');
  const idle = samples.figure('start', 'idle Node', 'residentMb');
  if (own === undefined || idle === undefined) return undefined;
  const above = own.median - idle.median;
  return { median: above, low: above, high: above };
}
