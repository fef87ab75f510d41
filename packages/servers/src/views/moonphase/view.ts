import { byId, createElement, onClick, errorText, setText } from '../host/dom.ts';
import { connectHost, type Host, toolNameAtHost, textOf, type ToolResult } from '../host/host.ts';
import { type HostContext, localeOf, timeZoneOf } from '../host/host-context.ts';
import { clockAt, daysOf, addMonths } from './calendar.ts';
import { Disc, type PhaseAngle, phaseAngleOf } from './disc.ts';
import { MonthStrip } from './month-strip.ts';
import { type ComingPhase, createSvgElement, moonIcon, type MonthPage, type Moon, capitalize } from './moon.ts';

const ownTools = ['moonphases', 'moonphase'];
/** Days from a new moon to the full moon, on average. */
const halfMonth = 14.765;
const turnMs = 320;

const main = document.querySelector('main') as HTMLElement;
const canvas = byId('moon', HTMLCanvasElement);
const disc = new Disc(canvas);
const strip = new MonthStrip((day) => {
  const moon = page?.moons[day - 1];
  if (moon !== undefined) show(preferGiven(moon));
});
const pages = new Map<string, Promise<MonthPage>>();
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

let host: Host | undefined;
let context: HostContext = {};
/** The moon of the tool result. */
let given: Moon | undefined;
let shown: Moon | undefined;
let page: MonthPage | undefined;
let drawn: PhaseAngle = 0;
let frame = 0;
let requests = 0;
/** Repeats the failed action. */
let retry: (() => void) | undefined;

function format(instant: number | string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(instant);
  const formatter = new Intl.DateTimeFormat(localeOf(context), {
    timeZone: timeZoneOf(context),
    ...options,
    ...(options.year !== undefined && date.getUTCFullYear() < 1 && { era: 'short' }),
  });
  return formatter.format(date);
}

/** Formats date and time by locale. */
function formatMoment(instant: string, date: Intl.DateTimeFormatOptions): string {
  return `${format(instant, date)}, ${format(instant, { timeStyle: 'short' })}`;
}

function percent(part: number): string {
  return new Intl.NumberFormat(localeOf(context), { style: 'percent' }).format(part);
}

/** Prefers the moon of the tool result, if it has the same instant. */
function preferGiven(moon: Moon): Moon {
  return given !== undefined && Date.parse(given.datetime) === Date.parse(moon.datetime) ? given : moon;
}

/** Animates the drawing to another phase, in the shorter direction. */
function turnTo(target: PhaseAngle): void {
  cancelAnimationFrame(frame);
  const from = drawn;
  const way = ((target - from + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  const begin = performance.now();
  const step = (now: number): void => {
    const share = reducedMotion.matches ? 1 : Math.min(1, Math.max(0, (now - begin) / turnMs));
    drawn = (from + way * (1 - (1 - share) ** 3) + 2 * Math.PI) % (2 * Math.PI);
    disc.draw(drawn);
    if (share < 1) frame = requestAnimationFrame(step);
  };
  step(begin);
}

function show(moon: Moon): void {
  shown = moon;
  const name = capitalize(moon.phase);
  const lit = percent(moon.illuminated);
  const time = byId('when', HTMLTimeElement);
  time.dateTime = moon.datetime;
  time.textContent = formatMoment(moon.datetime, { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' });
  setText('phase', name);
  setText('illumination', lit);
  const days = new Intl.NumberFormat(localeOf(context), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  setText('age', `${days.format(moon.age_days)} days`);
  canvas.ariaLabel = `${name}, ${lit} illuminated`;
  const { day } = clockAt(Date.parse(moon.datetime), timeZoneOf(context));
  strip.set(day, `${format(moon.datetime, { dateStyle: 'long' })}: ${moon.phase}, ${lit}`);
  const back = byId('back', HTMLButtonElement);
  back.hidden = given === undefined || given === moon;
  if (given !== undefined) back.textContent = `Back to ${format(given.datetime, { day: 'numeric', month: 'short' })}`;
  turnTo(phaseAngleOf(moon));
  showComingPhases(page?.next ?? [], {
    from: Date.parse(moon.datetime),
    format: (datetime) => formatMoment(datetime, { weekday: 'short', day: 'numeric', month: 'short' }),
    go: (instant) => {
      strip.focus();
      void go(instant);
    },
  });
}

function showMonth(): void {
  const moons = page?.moons ?? [];
  const [first] = moons;
  byId('month', HTMLElement).hidden = first === undefined;
  if (first === undefined) return;
  setText('month-name', format(first.datetime, { month: 'long', year: 'numeric' }));
  const numbers = new Intl.NumberFormat(localeOf(context));
  strip.draw(moons, (day) => numbers.format(day));
}

/** Loads a month, with a cache. */
function loadMonth(days: readonly number[]): Promise<MonthPage> {
  const datetimes = days.map((day) => new Date(day).toISOString());
  const key = datetimes.join();
  let loading = pages.get(key);
  if (loading === undefined) {
    loading = load(datetimes);
    loading.catch(() => pages.delete(key));
    pages.set(key, loading);
  }
  return loading;
}

async function load(datetimes: readonly string[]): Promise<MonthPage> {
  const found: unknown = await host?.callTool(toolNameAtHost(context, 'moonphases', ownTools), { datetimes });
  return found as MonthPage;
}

/** Shows the month of an instant, and selects the day. */
async function go(instant: number): Promise<void> {
  if (host?.callsTools !== true) return;
  const zone = timeZoneOf(context);
  const clock = clockAt(instant, zone);
  requests += 1;
  const request = requests;
  main.ariaBusy = 'true';
  try {
    const loaded = await loadMonth(daysOf(clock, clock.milliseconds, zone));
    // A newer request replaces this one.
    if (request !== requests) return;
    page = loaded;
    showProblem(undefined);
    showMonth();
    const moon = loaded.moons[clock.day - 1];
    if (moon !== undefined) show(preferGiven(moon));
  } catch (error) {
    if (request === requests) showProblem(error, () => void go(instant));
  } finally {
    if (request === requests) main.ariaBusy = 'false';
  }
}

function turnMonth(count: number): void {
  const zone = timeZoneOf(context);
  const clock = clockAt(Date.parse(shown?.datetime ?? ''), zone);
  const days = daysOf(addMonths(clock, count), clock.milliseconds, zone);
  const instant = days[Math.min(clock.day, days.length) - 1];
  if (instant !== undefined) void go(instant);
}

/** Shows an error with a retry button; undefined hides it. */
function showProblem(error: unknown, retryAction?: () => void): void {
  retry = retryAction;
  byId('problem', HTMLElement).hidden = error === undefined;
  setText('problem-text', error === undefined ? '' : errorText(error));
  byId('again', HTMLButtonElement).hidden = retryAction === undefined;
}

/** Hides the empty parts if there is no moon. */
function showEmpty(): void {
  if (shown !== undefined) return;
  main.ariaBusy = 'false';
  main.classList.add('bare');
  setText('phase', 'There is no moon to show');
}

/** Shows the result of the tool, or its text if it has no data. */
function showResult(result: ToolResult): void {
  const facts = result.structuredContent;
  main.ariaBusy = 'false';
  if (result.isError === true || typeof facts?.datetime !== 'string') {
    showProblem(textOf(result) || 'The tool gave no result that can be shown');
    showEmpty();
    return;
  }
  const [age, phase] = [Number(facts.age_days), String(facts.phase)];
  given = {
    datetime: facts.datetime,
    age_days: age,
    illuminated: Number(facts.illumination_percent) / 100,
    waxing: isWaxing(phase, age),
    phase,
  };
  showProblem(undefined);
  main.classList.remove('bare');
  show(given);
  void go(Date.parse(given.datetime));
}

/** The name of the phase is more reliable than the age, because months differ in length. */
function isWaxing(phase: string, age: number): boolean {
  if (/waxing|first/.test(phase)) return true;
  return !/waning|last/.test(phase) && age < halfMonth;
}

onClick('earlier', () => turnMonth(-1));
onClick('later', () => turnMonth(1));
onClick('back', () => {
  if (given === undefined) return;
  strip.focus();
  void go(Date.parse(given.datetime));
});
onClick('again', () => retry?.());
new ResizeObserver(() => {
  disc.draw(drawn);
  showMonth();
}).observe(main);

try {
  let early: ToolResult | undefined;
  const connected = await connectHost({
    name: 'moonphase',
    version: '0.1.0',
    result(result) {
      if (host === undefined) early = result;
      else showResult(result);
    },
    cancelled(reason) {
      showProblem(`The call was cancelled${reason === undefined ? '' : `: ${reason}`}`);
      showEmpty();
    },
    changed(latest) {
      const zone = timeZoneOf(context);
      context = latest;
      if (shown === undefined) return;
      showMonth();
      show(shown);
      // The days of the month differ in another time zone.
      if (zone !== timeZoneOf(latest)) void go(Date.parse(shown.datetime));
    },
    ended: () => cancelAnimationFrame(frame),
  });
  host = connected;
  if (early !== undefined) showResult(early);
} catch (error) {
  showProblem(error);
  showEmpty();
}

const maxComing = 4;

interface ComingOptions {
  readonly from: number;
  format(datetime: string): string;
  go(instant: number): void;
}

/** Lists the next phases after an instant, as buttons that go there. */
export function showComingPhases(phases: readonly ComingPhase[], { from, format, go }: ComingOptions): void {
  const coming = phases.filter(({ datetime }) => Date.parse(datetime) > from).slice(0, maxComing);
  byId('coming', HTMLElement).hidden = coming.length === 0;
  byId('next', HTMLOListElement).replaceChildren(
    ...coming.map(({ datetime, phase }) => {
      const picture = createSvgElement('svg', { viewBox: '-10 -10 20 20', 'aria-hidden': 'true' });
      picture.append(moonIcon({ illuminated: illuminationOf(phase), waxing: phase !== 'last quarter' }, 9));
      const name = createElement('span', capitalize(phase));
      name.className = 'name';
      const when = createElement('time', format(datetime));
      when.dateTime = datetime;
      when.dir = 'auto';
      const button = createElement('button');
      button.type = 'button';
      button.append(picture, name, when);
      button.addEventListener('click', () => go(Date.parse(datetime)));
      const item = createElement('li');
      item.append(button);
      return item;
    }),
  );
}

function illuminationOf(phase: string): number {
  if (phase === 'new moon') return 0;
  return phase === 'full moon' ? 1 : 0.5;
}
