import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, takeTurns, withTimeout } from '../bench.ts';
import { Chromium, findChromium } from '../clients/chromium.ts';
import { framesDuring } from '../clients/frames.ts';
import { type Started, startInspect } from '../clients/inspect.ts';
import { fillTimeline, openTimeline, rowCount, scroll, search, ways } from '../clients/timeline.ts';
import { loadInTurns, withHttpServers } from '../http-server.ts';
import { emptyPage, inspectorName, mountedName, ours, variant } from '../subjects.ts';
import { bytesOf } from './size.ts';

const tools = 10_000;
const messages = 99_000;

type Browse = (address: string) => Promise<Chromium>;

/** The inspector: size, time to a usable page, filter, timeline, and its cost when it is mounted but not opened. */
export async function measureInspector(bench: Bench): Promise<void> {
  const { say, settings } = bench;
  measureWeight(bench);
  say('        mounted in a server');
  // The same server twice shows how far processes differ. New processes for each round.
  const mounted = [variant(ours), variant('ccmcp, again'), variant(mountedName, 'inspector')];
  for (let round = 0; round < settings.rounds; round++) {
    await withHttpServers(bench, mounted, {}, (servers) =>
      loadInTurns(bench, servers, { measure: 'inspector mounted', rounds: 1, from: round }),
    );
  }
  const found = findChromium();
  if (found === undefined) return say('        no chromium on the PATH: the page is not measured');
  bench.facts.set('Chromium', found.version);
  const profile = mkdtempSync(join(tmpdir(), 'ccmcp-profile-'));
  try {
    const browse: Browse = (address) => withTimeout('Chromium', Chromium.start(found.name, profile, address));
    say('        to a usable page');
    await measureUsable(bench, browse);
    say('        the filter');
    await measureFilter(bench, browse);
    say('        the timeline, which takes longest');
    for (let round = 0; round < settings.rounds; round++) await measureTimeline(bench, browse, round);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

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

/** The scripts that a page or script imports statically. */
function staticImports(page: string, name: string, found = new Set<string>()): Set<string> {
  for (const [, path = ''] of readFileSync(join(page, name), 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
    const inner = name.startsWith('chunks/') ? `chunks/${path}` : path;
    if (found.has(inner)) continue;
    found.add(inner);
    staticImports(page, inner, found);
  }
  return found;
}

/** From the start of everything to a page that shows a server's tools, beside Chromium with an empty page. */
async function measureUsable({ folder, settings, samples }: Bench, browse: Browse): Promise<void> {
  const blank = async (): Promise<Started> => ({ url: 'about:blank', end: async () => {} });
  const starters = [
    { subject: emptyPage, begin: blank, shown: "document.readyState === 'complete'" },
    {
      subject: inspectorName,
      begin: () => startInspect(folder, ['notes']),
      shown: "document.querySelector('.entry-row') && document.querySelector('#filter')",
    },
  ];
  const turn = async ({ begin, shown }: (typeof starters)[number]): Promise<Record<string, number>> => {
    const started = performance.now();
    const served = await begin();
    const addressMs = performance.now() - started;
    const chromium = await browse(served.url);
    await chromium.waitFor(shown);
    const ms = performance.now() - started;
    await chromium.end();
    await served.end();
    return begin === blank ? { ms } : { ms, addressMs };
  };
  await takeTurns(1, starters, (starter) => withTimeout(starter.subject, turn(starter)));
  await takeTurns(settings.startRounds, starters, async (starter, round) => {
    const values = await withTimeout(starter.subject, turn(starter));
    samples.add({ measure: 'inspector usable', subject: starter.subject, round, values });
  });
}

/** A letter typed into the filter above many tools, in a page that has not filtered before. */
async function measureFilter({ folder, settings, samples }: Bench, browse: Browse): Promise<void> {
  const unfiltered = `document.querySelector('.entry-row')
    && document.querySelector('.list-foot')?.textContent.replace(/\\D/g, '').startsWith('${tools}')`;
  const inspecting = await startInspect(folder, floodServer(folder, tools));
  const chromium = await browse(inspecting.url);
  try {
    await chromium.waitFor(unfiltered);
    for (let round = 0; round < settings.rounds; round++) {
      await chromium.page('Page.reload');
      await chromium.waitFor(unfiltered);
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
      const filteredMs = await withTimeout('the filter', chromium.evaluate<number>('window.filtered'));
      samples.add({ measure: 'inspector filter', subject: inspectorName, round, values: { filteredMs } });
      await chromium.press('Escape');
      await chromium.waitFor(unfiltered);
    }
  } finally {
    await chromium.end();
    await inspecting.end();
  }
}

/** A timeline as long as the inspector keeps it: time to load, memory, and scrolling. */
async function measureTimeline({ folder, samples }: Bench, browse: Browse, round: number): Promise<void> {
  const inspecting = await startInspect(folder, floodServer(folder, 10));
  const chromium = await browse(inspecting.url);
  try {
    await fillTimeline(chromium, inspecting, messages);
    const started = performance.now();
    await chromium.page('Page.reload');
    await chromium.waitFor("document.querySelector('.timeline-row')");
    const drawnMs = performance.now() - started;
    await chromium.waitFor(`${rowCount} >= ${messages}`);
    const values = { drawnMs, wholeMs: performance.now() - started, ...(await chromium.memory()) };
    samples.add({ measure: 'inspector timeline', subject: inspectorName, round, values });
    await openTimeline(chromium);
    for (const way of ways) {
      if (way === 'filtered') await search(chromium, 'ping');
      const frames = await framesDuring(chromium, () => withTimeout(way, scroll(chromium, inspecting, way)));
      samples.add({ measure: `inspector scroll ${way}`, subject: inspectorName, round, values: frames });
    }
  } finally {
    await chromium.end();
    await inspecting.end();
  }
}

function floodServer(folder: string, count: number): string[] {
  return ['--', process.execPath, join(folder, 'peers/bare/flood.mjs'), String(count)];
}
