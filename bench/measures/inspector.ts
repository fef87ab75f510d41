import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, takeTurns, within } from '../bench.ts';
import { Chromium, findChromium } from '../clients/chromium.ts';
import { framesDuring } from '../clients/frames.ts';
import { type Inspecting, startBareInspector, startInspect } from '../clients/inspect.ts';
import { findLoader, type Load } from '../clients/load.ts';
import { fillTimeline, openTimeline, rowCount, scroll, search, ways } from '../clients/timeline.ts';
import { bareInspector, barePage, emptyPage, inspectorName, mountedSubjects, type Subject } from '../subjects.ts';
import { type Serving, serve, stop } from './http.ts';
import { bytesOf } from './size.ts';

const tools = 10_000;
const messages = 99_000;
const connections = 50;

/** What the inspector weighs, how soon and how smoothly its page can be used, and what it costs a server in which nobody opens it. */
export async function measureInspector(bench: Bench): Promise<void> {
  const { say } = bench;
  measureWeight(bench);
  say('        mounted in a server');
  await measureMounted(bench);
  const found = findChromium();
  if (found === undefined) return bench.say('        no chromium on the PATH: the page is not measured');
  bench.facts.set('Chromium', found.version);
  const profile = mkdtempSync(join(tmpdir(), 'ccmcp-profile-'));
  try {
    const browse = (address: string): Promise<Chromium> =>
      within('Chromium, to start', Chromium.start(found.name, profile, address));
    say('        to a usable page');
    await measureUsable(bench, browse);
    say('        the filter');
    await measureFilter(bench, browse);
    say('        the timeline, which takes longest');
    await measureTimeline(bench, browse);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Browse = (address: string) => Promise<Chromium>;

function measureWeight({ folder, samples }: Bench): void {
  const own = join(folder, 'peers/node_modules/@ccmcp/inspector');
  const page = join(own, 'dist/page');
  const kb = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + statSync(join(page, `${name}.gz`)).size, 0) / 1024;
  const all = readdirSync(page, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(html|js|css)$/.test(name));
  const values = {
    firstKb: kb(['index.html', ...staticImports(page, 'index.html')]),
    allKb: kb(all),
    installedMb: bytesOf(own) / 1024 / 1024,
  };
  samples.add({ measure: 'inspector weight', subject: inspectorName, round: 0, values });
}

/** The scripts that a page or script can't do without, which browsers load with it. */
function staticImports(page: string, name: string, found = new Set<string>()): Set<string> {
  for (const [, path = ''] of readFileSync(join(page, name), 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
    const inner = name.startsWith('chunks/') ? `chunks/${path}` : path;
    if (found.has(inner)) continue;
    found.add(inner);
    staticImports(page, inner, found);
  }
  return found;
}

/** From starting everything to a page with the tools of a server, beside Chromium with an empty page. */
async function measureUsable({ folder, settings, samples }: Bench, browse: Browse): Promise<void> {
  const starters = [
    {
      subject: emptyPage,
      async run(started: number) {
        const chromium = await browse('about:blank');
        await chromium.until("document.readyState === 'complete'");
        return { end: () => chromium.end(), ms: performance.now() - started };
      },
    },
    {
      subject: barePage,
      async run(started: number) {
        const { address, close } = await serveBarePage();
        const chromium = await browse(address);
        await chromium.until("document.querySelector('p')");
        const ms = performance.now() - started;
        return { end: () => chromium.end().then(close), ms };
      },
    },
    {
      subject: bareInspector,
      async run(started: number) {
        const bare = await startBareInspector(folder);
        const addressMs = performance.now() - started;
        const chromium = await browse(bare.url);
        await chromium.until("document.body?.textContent.includes('create_note')");
        const ms = performance.now() - started;
        return { end: () => ended(chromium, bare), ms, addressMs };
      },
    },
    {
      subject: inspectorName,
      async run(started: number) {
        const inspecting = await startInspect(folder, ['notes']);
        const addressMs = performance.now() - started;
        const chromium = await browse(inspecting.url);
        await chromium.until("document.querySelector('.entry-row') && document.querySelector('#filter')");
        const ms = performance.now() - started;
        return { end: () => ended(chromium, inspecting), ms, addressMs };
      },
    },
  ];
  const turn = async ({ subject, run }: (typeof starters)[number]): Promise<Record<string, number>> => {
    const { end, ...values } = await within(subject, run(performance.now()));
    await end();
    return values;
  };
  await takeTurns(1, starters, async (starter) => void (await turn(starter)));
  await takeTurns(settings.startRounds, starters, async (starter, round) =>
    samples.add({ measure: 'inspector usable', subject: starter.subject, round, values: await turn(starter) }),
  );
}

/** The least that a page can be: what Chromium takes for it can't be had for less. */
async function serveBarePage(): Promise<{ address: string; close: () => void }> {
  const http = createServer(({ url }, response) => {
    const isScript = url === '/main.js';
    response.writeHead(200, {
      'Content-Type': isScript ? 'text/javascript' : 'text/html',
      'Cache-Control': 'no-store',
    });
    response.end(
      isScript ? "document.body.innerHTML = '<p>here</p>'" : '<script type="module" src="main.js"></script>',
    );
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => void http.close() };
}

/** A letter typed into the filter above very many tools, in a page that has not filtered before. */
async function measureFilter({ folder, settings, samples }: Bench, browse: Browse): Promise<void> {
  const inspecting = await startInspect(folder, server(folder, tools));
  const chromium = await browse(inspecting.url);
  const unfiltered = `document.querySelector('.entry-row')
    && document.querySelector('.list-foot')?.textContent.replace(/\\D/g, '').startsWith('${tools}')`;
  try {
    // A page that is loaded anew before it was there is another one: its tab keeps what is typed a little later.
    await chromium.until(unfiltered);
    for (let round = 0; round < settings.rounds; round++) {
      await chromium.page('Page.reload');
      await chromium.until(unfiltered);
      await chromium.evaluate(`(() => {
        const input = document.querySelector('#filter');
        input.focus();
        window.filtered = new Promise((resolve) => {
          input.addEventListener('keydown', ({ timeStamp }) => {
            const look = () => /of/.test(document.querySelector('.list-foot')?.textContent ?? '')
              ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
              : setTimeout(look);
            look();
          }, { once: true });
        });
      })()`);
      await chromium.press('9');
      const filteredMs = await within('the filter', chromium.evaluate<number>('window.filtered'));
      samples.add({ measure: 'inspector filter', subject: inspectorName, round, values: { filteredMs } });
      await chromium.press('Escape');
      await chromium.until(unfiltered);
    }
  } finally {
    await ended(chromium, inspecting);
  }
}

/** A timeline that is as long as the inspector keeps it: how soon it is there, its memory, and how it scrolls. */
async function measureTimeline({ folder, settings, samples }: Bench, browse: Browse): Promise<void> {
  for (let round = 0; round < settings.rounds; round++) {
    const inspecting = await startInspect(folder, server(folder, 10));
    const chromium = await browse(inspecting.url);
    try {
      await fillTimeline(chromium, inspecting, messages);
      const reload = async (): Promise<Record<string, number>> => {
        const started = performance.now();
        await chromium.page('Page.reload');
        await chromium.until("document.querySelector('.timeline-row')");
        const drawnMs = performance.now() - started;
        await chromium.until(`${rowCount} >= ${messages}`);
        return { drawnMs, wholeMs: performance.now() - started };
      };
      const joined = await within('the timeline', reload());
      const values = { ...joined, ...(await chromium.memory()) };
      samples.add({ measure: 'inspector timeline', subject: inspectorName, round, values });
      await openTimeline(chromium);
      for (const way of ways) {
        if (way === 'filtered') await search(chromium, 'ping');
        const { longestMs, workMs } = await framesDuring(chromium, () =>
          within(way, scroll(chromium, inspecting, way)),
        );
        samples.add({
          measure: `inspector scroll ${way}`,
          subject: inspectorName,
          round,
          values: { longestMs, workMs },
        });
      }
    } finally {
      await ended(chromium, inspecting);
    }
  }
}

/** The same server with the inspector mounted and without, started anew for each round: processes differ. */
async function measureMounted({ folder, settings, samples }: Bench): Promise<void> {
  const loader = await findLoader(folder);
  for (let round = 0; round < settings.rounds; round++) {
    const servers: Serving[] = [];
    const load = ({ subject, port, clients }: Serving): Promise<Load> =>
      within(
        subject.name,
        loader.load(port, { requests: clients.requests, connections, seconds: settings.loadSeconds }),
      );
    try {
      const turned = mountedSubjects.map(
        (_, index) => mountedSubjects[(index + round) % mountedSubjects.length] as Subject,
      );
      for (const subject of turned) {
        const served = await within(subject.name, serve(folder, subject, { mode: '2026-07-28', connections }));
        servers.push({ ...served, subject });
      }
      for (const server of servers) await load(server);
      for (const server of servers) {
        const before = server.child.cpuMs();
        const { requests, seconds } = await load(server);
        const cpuUs = ((server.child.cpuMs() - before) * 1000) / requests;
        const values = { perSecond: requests / seconds, cpuUs };
        samples.add({ measure: 'inspector mounted', subject: server.subject.name, round, values });
      }
    } finally {
      await Promise.all(servers.map((served) => stop(served)));
    }
  }
}

function server(folder: string, count: number): string[] {
  return ['--', process.execPath, join(folder, 'peers/bare/flood.mjs'), String(count)];
}

async function ended(chromium: Chromium, inspecting: Pick<Inspecting, 'end'>): Promise<void> {
  await chromium.end();
  await inspecting.end();
}
