import { otherLines } from '../../scripts/other-nodes.mjs';
import type { Settings } from '../settings.ts';
import { ways } from '../clients/timeline.ts';
import {
  bareInspector,
  barePage,
  commonJsFloor,
  emptyPage,
  fetchFloor,
  floor,
  inspectorName,
  redisSubject,
  shortFloor,
  taskFloor,
  taskName,
} from '../subjects.ts';

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
    ...redisMeasures(),
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
    ...taskMeasures(),
    {
      id: 'auth call',
      title: 'HTTP, `tools/call`, without a token, with one that nobody looks at, and with one that was checked',
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
    ...inspectorMeasures(),
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

/** What a store in Redis costs; the memory of the process is the floor of it. */
function redisMeasures(): Measure[] {
  const memory = 'ccmcp';
  const shared = [
    { ...rate, floor: memory },
    { ...cpu, floor: memory },
  ];
  const commands: Metric = { name: 'commands', title: 'commands each', better: 'lower', digits: 3 };
  return [
    {
      id: 'redis 2026-07-28',
      title: 'HTTP with a store in Redis, `tools/call`, 50 connections, 2026-07-28',
      metrics: [...shared, commands],
    },
    {
      id: 'redis session',
      title: 'HTTP with a store in Redis, `tools/call`, 50 connections, session',
      metrics: [...shared, commands],
    },
    {
      id: 'redis memory',
      title: 'Idle sessions in Redis',
      metrics: [{ name: 'bytes', title: 'bytes in Redis each', better: 'lower', digits: 0 }],
    },
  ];
}

/** What tasks cost, beside the calls of plain tools. */
function taskMeasures(): Measure[] {
  return [
    {
      id: 'tasks beside',
      title: 'HTTP, `tools/call` of a plain tool on a server that has tasks',
      metrics: [rate, cpu].map((metric) => ({ ...metric, floor: 'ccmcp' })),
    },
    {
      id: 'tasks beside, in process',
      title: 'The same in one process, without sockets',
      metrics: [{ ...cpu, digits: 3, floor: 'ccmcp' }],
    },
    {
      id: 'tasks work',
      title: 'A task, made, done and read, and three ordinary calls, HTTP, memory store',
      metrics: [{ ...cpu, floor: taskFloor }],
    },
    {
      id: 'tasks waiting',
      title: '10 000 tasks that wait',
      metrics: [{ name: 'bytes', title: 'live heap bytes each', better: 'lower', digits: 0 }],
    },
    {
      id: 'tasks redis',
      title: 'A task, made, done and read, with a store in Redis',
      metrics: [{ name: 'commands', title: 'commands each', better: 'lower', digits: 1 }],
    },
  ];
}

/** The inspector: what it weighs, how its page can be used, and what it costs where nobody opens it. */
function inspectorMeasures(): Measure[] {
  const ms = (name: string, title: string): Metric => ({ name, title, better: 'lower', digits: 1 });
  return [
    {
      id: 'inspector weight',
      title: 'The inspector: what is loaded, compressed, and what is installed',
      metrics: [
        { name: 'firstKb', title: 'KB at first', better: 'lower', digits: 1 },
        { name: 'allKb', title: 'KB of all', better: 'lower', digits: 1 },
        { name: 'installedMb', title: 'MB installed', better: 'lower', digits: 2 },
      ],
    },
    {
      id: 'inspector usable',
      title:
        '`ccmcp inspect notes` and Chromium, started one after the other, until the tools are listed; and Chromium alone',
      metrics: [
        { ...ms('ms', 'ms'), digits: 0, floor: emptyPage },
        ms('addressMs', 'of these until the address is known, ms'),
      ],
    },
    {
      id: 'inspector filter',
      title: 'The first letter in the filter above 10 000 tools, until it is filtered and drawn',
      metrics: [ms('filteredMs', 'ms')],
    },
    {
      id: 'inspector timeline',
      title: 'A page with 99 000 messages in its timeline, loaded anew',
      metrics: [
        { ...ms('drawnMs', 'ms to the first rows'), digits: 0 },
        { ...ms('wholeMs', 'ms to all'), digits: 0 },
        ms('heapMb', 'live heap MB'),
        ms('privateMb', 'MB of the process that are its own'),
      ],
    },
    // The target is about frames by the clock: on a machine that does something else beside it, look at the work.
    ...ways.map((way) => ({
      id: `inspector scroll ${way}`,
      title: `Scrolling there, ${way}: the longest frame by the clock, and the most work of the page between two frames`,
      metrics: [ms('longestMs', 'ms by the clock'), ms('workMs', 'ms of CPU time, main thread')],
    })),
    {
      id: 'inspector mounted',
      title: 'HTTP, `tools/call`, 50 connections, 2026-07-28, with the inspector mounted that nobody opens',
      metrics: [rate, cpu].map((metric) => ({ ...metric, floor: 'ccmcp' })),
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
  return [
    ...floors,
    ...subjects.map(({ name }) => name),
    redisSubject.name,
    fetchFloor,
    'ccmcp command',
    taskFloor,
    taskName,
    emptyPage,
    barePage,
    bareInspector,
    inspectorName,
  ];
}
