import { otherLines } from '../../scripts/other-nodes.mjs';
import { ways } from '../clients/timeline.ts';
import type { Figure, Samples } from '../figures.ts';
import {
  bareProxyName,
  emptyPage,
  floor,
  gatewayName,
  gatewayPeers,
  idleGatewayName,
  inspectorName,
  limitedName,
  listedGatewayName,
  listedName,
  mountedName,
  oneFileFloor,
  ours,
  redisName,
  shortFloor,
  taskFloor,
  taskName,
  tasksName,
  budgetName,
  callToolName,
  directName,
} from '../subjects.ts';

/** A target and what was reached. */
export interface Reached {
  readonly title: string;
  readonly bound: 'at least' | 'at most';
  readonly target: number;
  /** Of a ratio, the median of the ratios of each round. */
  readonly value: number;
  /** The middle half of the rounds. */
  readonly low?: number;
  readonly high?: number;
  /** Of a ratio, that of the two medians. */
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
  read(samples: Samples): Reading | undefined;
}

/** Where a target is read: a figure, or with `base` a ratio. */
interface Where {
  readonly subject?: string;
  readonly base?: string;
  readonly baseMeasure?: string;
}

function target(bound: Target['bound'], value: number, title: string, read: Target['read']): Target {
  return { title, bound, target: value, read };
}

function atLeast(
  value: number,
  title: string,
  measure: string,
  metric: string,
  where: Where = { base: floor },
): Target {
  return target('at least', value, title, reader(measure, metric, where));
}

function atMost(value: number, title: string, measure: string, metric: string, where: Where = { base: floor }): Target {
  return target('at most', value, title, reader(measure, metric, where));
}

function reader(
  measure: string,
  metric: string,
  { subject = ours, base, baseMeasure = measure }: Where,
): Target['read'] {
  return (samples) => {
    const own = samples.figure(measure, subject, metric);
    if (base === undefined) return own;
    const rounds = samples.ratio(measure, subject, metric, { subject: base, measure: baseMeasure });
    const other = samples.figure(baseMeasure, base, metric);
    if (rounds === undefined || own === undefined || other === undefined) return undefined;
    return { ...rounds, ofMedians: own.median / other.median };
  };
}

const figure: Where = {};
const inspector: Where = { subject: inspectorName };
const gateway: Where = { subject: gatewayName };
const nothing = { base: 'node -e 0' };

const targets: readonly Target[] = [
  ...['20', ...otherLines].flatMap((line) => {
    const measure = line === '20' ? 'start' : `start node ${line}`;
    const clock = { 20: 1.65, 22: 1.35 }[line] ?? 1.3;
    return [
      atMost(1.3, `start-up with Node ${line}, CPU × bare loop in one file`, measure, 'cpuMs', { base: oneFileFloor }),
      atMost(clock, `start-up with Node ${line} × \`node -e 0\``, measure, 'ms', nothing),
      atMost(1.3, `start-up of the \`ccmcp\` command with Node ${line} × \`node -e 0\``, measure, 'ms', {
        subject: 'ccmcp command',
        ...nothing,
      }),
    ];
  }),
  atMost(2, 'CPU after the answer to `initialize`, ms', 'start', 'laterCpuMs', figure),
  atMost(1.5, 'first call 50 ms after the handshake, ms', 'first', 'firstCallMs', figure),
  atMost(1.5, 'spawn to first call answered, back to back × bare loop', 'first', 'backToBackMs'),
  target('at most', 5, 'memory after `initialize` above idle Node, MB', memoryAboveIdle),

  atLeast(0.8, 'stdio calls, share of the bare loop', 'stdio handshake', 'perSecond'),
  atLeast(0.7, 'stdio calls 2026-07-28, share of the bare loop with short requests', 'stdio 2026-07-28', 'perSecond', {
    base: shortFloor,
  }),
  atMost(1.15, 'stdio CPU per call × bare loop', 'stdio handshake', 'cpuUs'),
  atMost(1.35, 'stdio CPU per call 2026-07-28 × bare loop', 'stdio 2026-07-28', 'cpuUs'),
  atMost(1.35, 'stdio CPU per call 2026-07-28 × bare loop with short requests', 'stdio 2026-07-28', 'cpuUs', {
    base: shortFloor,
  }),
  atMost(1.1, 'stdio latency × bare loop', 'latency handshake', 'p50Us'),
  atMost(1.1, 'stdio latency 2026-07-28 × bare loop', 'latency 2026-07-28', 'p50Us'),
  atLeast(2, '`tools/list` × stringifying it each time', 'list', 'perSecond'),
  atMost(1.1, '8 MB over stdio, CPU × bare loop', 'payload 8', 'cpuMsPerMb'),

  ...Object.entries({ stateless: 0.95, session: 0.9, '2026-07-28': 0.85 }).map(([mode, share]) =>
    atLeast(share, `HTTP ${mode}, share of bare \`node:http\``, `http ${mode}`, 'perSecond'),
  ),
  ...Object.entries({ stateless: 1.1, session: 1.15, '2026-07-28': 1.25 }).map(([mode, times]) =>
    atMost(times, `HTTP ${mode} CPU × bare \`node:http\``, `http ${mode}`, 'cpuUs'),
  ),
  ...Object.entries({ '2026-07-28': 0.95, session: 0.8 }).map(([mode, share]) =>
    atLeast(share, `HTTP ${mode} with a store in Redis, share of the memory store`, `redis ${mode}`, 'perSecond', {
      subject: redisName,
      base: ours,
    }),
  ),
  atMost(0.2, 'commands to Redis for a call in a session', 'redis session', 'commands', { subject: redisName }),
  atMost(1024, 'memory in Redis for an idle session, bytes', 'redis memory', 'bytes', { subject: redisName }),
  atLeast(0.95, 'HTTP calls with a rate limit, share of those without', 'limits', 'perSecond', {
    subject: limitedName,
    base: ours,
  }),

  ...['stdio', 'http'].flatMap((transport) =>
    ['handshake', '2026-07-28'].flatMap((era) =>
      [1, 64].flatMap((inFlight) => {
        const measure = `client ${transport} ${era} ${inFlight}`;
        return [
          atLeast(0.7, `${measure} in flight, share of a bare client`, measure, 'perSecond'),
          atMost(1.43, `${measure} in flight, CPU × a bare client`, measure, 'cpuUs'),
        ];
      }),
    ),
  ),

  atLeast(0.9, 'HTTP calls with metrics, share of those without', 'watching', 'perSecond', {
    subject: 'ccmcp, metrics',
    base: ours,
  }),
  atLeast(0.9, 'HTTP calls with metrics and an audit log, share of those without', 'watching', 'perSecond', {
    subject: 'ccmcp, metrics + audit',
    base: ours,
  }),

  atLeast(0.98, 'call of a plain tool beside tasks, share of a server without', 'tasks beside', 'perSecond', {
    subject: tasksName,
    base: ours,
  }),
  atMost(
    1.02,
    'call of a plain tool beside tasks, CPU in one process × a server without',
    'tasks beside, in process',
    'cpuUs',
    { subject: tasksName, base: ours },
  ),
  atMost(1.05, 'result budget on a result below it, CPU × without', 'middleware', 'cpuUs', {
    subject: budgetName,
    base: ours,
  }),
  atMost(1.2, 'call through `call_tool`, CPU × direct', 'middleware', 'cpuUs', {
    subject: callToolName,
    base: directName,
  }),
  atMost(2, 'a task made, done and read, CPU × three ordinary calls', 'tasks work', 'cpuUs', {
    subject: taskName,
    base: taskFloor,
  }),
  atMost(12, 'commands to Redis for a task', 'tasks redis', 'commands', { subject: taskName }),
  atMost(2048, 'memory of a waiting task, bytes', 'tasks waiting', 'bytes', { subject: taskName }),

  atLeast(0.95, 'call with a checked token, share of the same without', 'auth call', 'perSecond', {
    subject: 'checked',
    base: 'open',
  }),
  atMost(1.5, 'first check of a token, RS256, CPU × the signature', 'auth costs', 'rs256Times', figure),
  atMost(1.5, 'first check of a token, ES256, CPU × the signature', 'auth costs', 'es256Times', figure),
  atMost(1.3, 'call with a proof, CPU × bare proof and call', 'auth costs', 'dpopTimes', figure),
  atMost(5, 'memory of 10 000 checked tokens, MB', 'auth costs', 'verdictsMb', figure),

  atMost(2, 'gateway: call, CPU × one direct HTTP call', 'gateway call', 'cpuUs', { ...gateway, base: ours }),
  atMost(2, 'gateway: call by our own client, CPU × one direct HTTP call', 'gateway call, own client', 'cpuUs', {
    ...gateway,
    base: ours,
  }),
  atMost(1.3, 'gateway: added latency × bare proxy', 'gateway latency', 'addedUs', { ...gateway, base: bareProxyName }),
  atMost(1.2, 'gateway: result of 1 MB, CPU × bare proxy', 'gateway large', 'cpuUs', {
    ...gateway,
    base: bareProxyName,
  }),

  atMost(1.3, 'gateway: start-up with 50 upstreams, CPU × a plain server', 'gateway start', 'cpuMs', {
    subject: idleGatewayName,
    base: ours,
  }),
  atMost(1.3, 'gateway: start-up with 50 upstreams × a plain server', 'gateway start', 'ms', {
    subject: idleGatewayName,
    base: ours,
  }),
  atMost(1.1, 'gateway: `tools/list`, 2000 tools of 50 upstreams, CPU × one server', 'gateway list', 'cpuUs', {
    subject: listedGatewayName,
    base: listedName,
  }),
  atMost(300, 'gateway: memory of an idle connection to an upstream, KB', 'gateway memory', 'residentKb', gateway),
  ...gatewayPeers.map(({ name }) =>
    atLeast(3, `gateway: calls per second × ${name}`, 'gateway peers', 'perSecond', { ...gateway, base: name }),
  ),

  atMost(100, 'inspector: page at first, compressed, KB', 'inspector weight', 'firstKb', inspector),
  atMost(350, 'inspector: all of the page, compressed, KB', 'inspector weight', 'allKb', inspector),
  atMost(3, 'inspector: installed size, MB', 'inspector weight', 'installedMb', inspector),
  atMost(1.5, '`ccmcp inspect` to a usable page × Chromium with an empty page', 'inspector usable', 'ms', {
    ...inspector,
    base: emptyPage,
  }),
  atMost(50, 'inspector: first letter to 10 000 tools filtered, ms', 'inspector filter', 'filteredMs', inspector),
  atMost(300, 'inspector: memory of a page with 99 000 messages, MB', 'inspector timeline', 'privateMb', inspector),
  ...ways.flatMap((way) => {
    const measure = `inspector scroll ${way}`;
    return [
      atMost(50, `inspector: longest frame, ${way}, ms by the clock`, measure, 'longestMs', inspector),
      atMost(50, `inspector: most work for a frame, ${way}, ms of CPU time`, measure, 'workMs', inspector),
    ];
  }),
  atMost(1.02, 'HTTP CPU with the inspector mounted but not opened × without', 'inspector mounted', 'cpuUs', {
    subject: mountedName,
    base: ours,
  }),

  atMost(0.36, 'live heap per open session, KB', 'sessions 5000', 'heapKb', figure),
  atMost(0.7, 'live heap per session after a call, KB', 'sessions used', 'heapKb', figure),
  atMost(1.5, 'start-up with 10 000 tools × bare loop', 'tools 10000', 'startMs'),
  atMost(1.1, 'call latency at 10 000 tools × at 10', 'tools 10000', 'p50Us', { base: ours, baseMeasure: 'tools 10' }),
  atMost(1.1, 'first list of 10 000 × stringifying it', 'tools 10000', 'firstListMs'),
  atMost(1.75, 'installed size, MB', 'size', 'megabytes', figure),
  atMost(2, 'installed packages', 'size', 'packages', figure),
];

/** The targets that this run measured, with what was reached. */
export function evaluateTargets(samples: Samples): Reached[] {
  return targets.flatMap(({ title, bound, target: wanted, read }) => {
    const reading = read(samples);
    if (reading === undefined || Number.isNaN(reading.median)) return [];
    const { median: value, ...others } = reading;
    const met = bound === 'at least' ? value >= wanted : value <= wanted;
    return [{ title, bound, target: wanted, value, ...others, met }];
  });
}

function memoryAboveIdle(samples: Samples): Figure | undefined {
  const own = samples.figure('start', ours, 'residentMb');
  const idle = samples.figure('start', 'idle Node', 'residentMb');
  if (own === undefined || idle === undefined) return undefined;
  const above = own.median - idle.median;
  return { median: above, low: above, high: above };
}
