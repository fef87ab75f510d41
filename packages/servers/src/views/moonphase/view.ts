import { byId, press, wordsOf, write } from '../host/dom.ts';
import { type Host, connectHost, nameAtHost, textOf } from '../host/host.ts';
import type { HostContext, ToolResult } from '../host/messages.ts';
import { localeOf, timeZoneOf } from '../host/theme.ts';
import { clockAt, daysOf, monthAfter } from './calendar.ts';
import { showComing } from './coming.ts';
import { Disc, type Turn, turnOf } from './disc.ts';
import { type MonthPage, type Moon, titled } from './moon.ts';
import { MonthStrip } from './month-strip.ts';

const ownTools = ['moonphases', 'moonphase'];
/** Days from a new moon to the full moon, on average. */
const halfMonth = 14.765;
const turnMs = 320;

const main = document.querySelector('main') as HTMLElement;
const canvas = byId('moon', HTMLCanvasElement);
const disc = new Disc(canvas);
const strip = new MonthStrip((day) => {
  const moon = page?.moons[day - 1];
  if (moon !== undefined) show(asGiven(moon));
});
const pages = new Map<string, Promise<MonthPage>>();
const still = matchMedia('(prefers-reduced-motion: reduce)');

let host: Host | undefined;
let context: HostContext = {};
/** The moon that the tool was asked for. */
let given: Moon | undefined;
let shown: Moon | undefined;
let page: MonthPage | undefined;
let drawn: Turn = 0;
let frame = 0;
let asked = 0;
/** What is tried again after it failed. */
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

/** A date and the time of day, each as the locale has it. */
function moment(instant: string, date: Intl.DateTimeFormatOptions): string {
  return `${format(instant, date)}, ${format(instant, { timeStyle: 'short' })}`;
}

function percent(part: number): string {
  return new Intl.NumberFormat(localeOf(context), { style: 'percent' }).format(part);
}

/** The moon as the tool told it, where it is about the same instant. */
function asGiven(moon: Moon): Moon {
  return given !== undefined && Date.parse(given.datetime) === Date.parse(moon.datetime) ? given : moon;
}

/** Turns the drawing to another phase, the shorter way round. */
function turnTo(target: Turn): void {
  cancelAnimationFrame(frame);
  const from = drawn;
  const way = ((target - from + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  const begin = performance.now();
  const step = (now: number): void => {
    const share = still.matches ? 1 : Math.min(1, Math.max(0, (now - begin) / turnMs));
    drawn = (from + way * (1 - (1 - share) ** 3) + 2 * Math.PI) % (2 * Math.PI);
    disc.draw(drawn);
    if (share < 1) frame = requestAnimationFrame(step);
  };
  step(begin);
}

function show(moon: Moon): void {
  shown = moon;
  const name = titled(moon.phase);
  const lit = percent(moon.illuminated);
  const time = byId('when', HTMLTimeElement);
  time.dateTime = moon.datetime;
  time.textContent = moment(moon.datetime, { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' });
  write('phase', name);
  write('illumination', lit);
  const days = new Intl.NumberFormat(localeOf(context), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  write('age', `${days.format(moon.age_days)} days`);
  canvas.ariaLabel = `${name}, ${lit} illuminated`;
  const { day } = clockAt(Date.parse(moon.datetime), timeZoneOf(context));
  strip.set(day, `${format(moon.datetime, { dateStyle: 'long' })}: ${moon.phase}, ${lit}`);
  const back = byId('back', HTMLButtonElement);
  back.hidden = given === undefined || given === moon;
  if (given !== undefined) back.textContent = `Back to ${format(given.datetime, { day: 'numeric', month: 'short' })}`;
  turnTo(turnOf(moon));
  showComing(page?.next ?? [], {
    from: Date.parse(moon.datetime),
    format: (datetime) => moment(datetime, { weekday: 'short', day: 'numeric', month: 'short' }),
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
  write('month-name', format(first.datetime, { month: 'long', year: 'numeric' }));
  const numbers = new Intl.NumberFormat(localeOf(context));
  strip.draw(moons, (day) => numbers.format(day));
}

/** A month from the server, or as it was got before. */
function pageOf(days: readonly number[]): Promise<MonthPage> {
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
  const found: unknown = await host?.callTool(nameAtHost(context, 'moonphases', ownTools), { datetimes });
  return found as MonthPage;
}

/** Shows the month of an instant, and in it the day. */
async function go(instant: number): Promise<void> {
  if (host?.callsTools !== true) return;
  const zone = timeZoneOf(context);
  const clock = clockAt(instant, zone);
  asked += 1;
  const mine = asked;
  main.ariaBusy = 'true';
  try {
    const loaded = await pageOf(daysOf(clock, clock.milliseconds, zone));
    // Whoever asked for another one meanwhile wants that.
    if (mine !== asked) return;
    page = loaded;
    complain(undefined);
    showMonth();
    const moon = loaded.moons[clock.day - 1];
    if (moon !== undefined) show(asGiven(moon));
  } catch (error) {
    if (mine === asked) complain(error, () => void go(instant));
  } finally {
    if (mine === asked) main.ariaBusy = 'false';
  }
}

function turnMonth(count: number): void {
  const zone = timeZoneOf(context);
  const clock = clockAt(Date.parse(shown?.datetime ?? ''), zone);
  const days = daysOf(monthAfter(clock, count), clock.milliseconds, zone);
  const instant = days[Math.min(clock.day, days.length) - 1];
  if (instant !== undefined) void go(instant);
}

/** Says what went wrong; of nothing, that all is well. */
function complain(error: unknown, again?: () => void): void {
  retry = again;
  byId('problem', HTMLElement).hidden = error === undefined;
  write('problem-text', error === undefined ? '' : wordsOf(error));
  byId('again', HTMLButtonElement).hidden = again === undefined;
}

/** Leaves out what would only be empty, where there is no moon. */
function bare(): void {
  if (shown !== undefined) return;
  main.ariaBusy = 'false';
  main.classList.add('bare');
  write('phase', 'There is no moon to show');
}

/** Takes the result of the tool. Without its data, its words are still worth reading. */
function take(result: ToolResult): void {
  const facts = result.structuredContent;
  main.ariaBusy = 'false';
  if (result.isError === true || typeof facts?.datetime !== 'string') {
    complain(textOf(result) || 'The tool gave no result that can be shown');
    bare();
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
  complain(undefined);
  main.classList.remove('bare');
  show(given);
  void go(Date.parse(given.datetime));
}

/** A month is not always equally long: the name of the phase tells more than the age, where it tells something. */
function isWaxing(phase: string, age: number): boolean {
  if (/waxing|first/.test(phase)) return true;
  return !/waning|last/.test(phase) && age < halfMonth;
}

press('earlier', () => turnMonth(-1));
press('later', () => turnMonth(1));
press('back', () => {
  if (given === undefined) return;
  strip.focus();
  void go(Date.parse(given.datetime));
});
press('again', () => retry?.());
new ResizeObserver(() => {
  disc.draw(drawn);
  showMonth();
}).observe(main);

try {
  let early: ToolResult | undefined;
  const met = await connectHost({
    name: 'moonphase',
    version: '0.1.0',
    result(result) {
      if (host === undefined) early = result;
      else take(result);
    },
    cancelled(reason) {
      complain(`The call was cancelled${reason === undefined ? '' : `: ${reason}`}`);
      bare();
    },
    changed(latest) {
      const zone = timeZoneOf(context);
      context = latest;
      if (shown === undefined) return;
      showMonth();
      show(shown);
      // Days begin elsewhere there.
      if (zone !== timeZoneOf(latest)) void go(Date.parse(shown.datetime));
    },
    ended: () => cancelAnimationFrame(frame),
  });
  host = met;
  if (early !== undefined) take(early);
} catch (error) {
  complain(error);
  bare();
}
