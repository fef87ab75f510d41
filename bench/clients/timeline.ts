import { setTimeout as delay } from 'node:timers/promises';
import type { Chromium } from './chromium.ts';
import type { Inspecting } from './inspect.ts';

/** Ways to scroll through a timeline. */
export const ways = ['wheel', 'dragged', 'End and Home', 'new messages', 'filtered'] as const;
export type Way = (typeof ways)[number];

/** Expression for the page: the number of rows in the timeline. */
export const rowCount = "Number(document.querySelector('.timeline-head .dim')?.textContent.replaceAll(',', ''))";

/** Fills the timeline to exactly so many rows: with one too many, the inspector drops a tenth. */
export async function fillTimeline(chromium: Chromium, inspecting: Inspecting, count: number): Promise<void> {
  await chromium.waitFor("document.querySelector('.entry-row')");
  await click(chromium, 'in order');
  const missing = count - (await chromium.evaluate<number>(rowCount));
  await inspecting.echo(`${missing} at 20000`);
  await chromium.waitFor(`${rowCount} >= ${count}`);
}

/** Maximizes the timeline. */
export async function openTimeline(chromium: Chromium): Promise<void> {
  await click(chromium, 'Whole window');
  await chromium.waitFor(`${button('Smaller')} && document.querySelector('.timeline-row')`);
}

/** Searches the timeline for a word. */
export async function search(chromium: Chromium, word: string): Promise<void> {
  await chromium.evaluate(`(() => {
    const input = document.querySelector('.timeline-head input');
    input.value = '${word}';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await chromium.waitFor(
    `[...document.querySelectorAll('.timeline-row')].every((row) => row.textContent.includes('${word}'))`,
  );
}

async function click(chromium: Chromium, text: string): Promise<void> {
  await chromium.waitFor(button(text));
  await chromium.evaluate(`${button(text)}.click()`);
}

function button(text: string): string {
  return `[...document.querySelectorAll('.timeline-head button')].find(({ textContent }) => textContent === '${text}')`;
}

const streamMs = 2500;
const perSecond = 1000;

/** Scrolls through the maximized timeline. */
export async function scroll(chromium: Chromium, inspecting: Inspecting, way: Way): Promise<void> {
  const place = await rowsPlace(chromium);
  switch (way) {
    case 'wheel':
      await turnWheel(chromium, place, -1, 40);
      return turnWheel(chromium, place, 1, 40);
    case 'dragged':
      return drag(chromium, place);
    case 'End and Home':
      return endAndHome(chromium, place);
    case 'new messages':
    case 'filtered':
      await inspecting.echo(`${(perSecond * streamMs) / 1000} at ${perSecond}`);
      return turnWheel(chromium, place, -1, Math.round(streamMs / stepMs));
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

async function rowsPlace(chromium: Chromium): Promise<Place> {
  return chromium.evaluate<Place>(`(() => {
    const { left, top, width, height } = document.querySelector('.timeline .rows').getBoundingClientRect();
    return { x: left + 300, y: top + height / 2, right: left + width, top, height };
  })()`);
}

const stepMs = 16;

async function turnWheel(chromium: Chromium, { x, y }: Place, way: 1 | -1, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await Promise.all([chromium.mouse('mouseWheel', { x, y, deltaY: way * 240 }), delay(stepMs)]);
  }
}

// Below a scrollbar's end button.
const grip = 22;

async function drag(chromium: Chromium, { right, top, height }: Place): Promise<void> {
  const x = right - 6;
  const steps = 60;
  await chromium.evaluate("document.querySelector('.timeline .rows').scrollTo({ top: 0, behavior: 'instant' })");
  await chromium.waitFor("document.querySelector('.timeline .rows').scrollTop === 0");
  await chromium.mouse('mouseMoved', { x, y: top + grip });
  await chromium.mouse('mousePressed', { x, y: top + grip });
  for (let step = 1; step <= steps; step++) {
    const y = top + grip + (height / 2) * (step / steps);
    await Promise.all([chromium.mouse('mouseMoved', { x, y, buttons: 1 }), delay(stepMs)]);
  }
  await chromium.mouse('mouseReleased', { x, y: top + height / 2 });
  const at = await chromium.evaluate<number>(`(() => {
    const { scrollTop, scrollHeight } = document.querySelector('.timeline .rows');
    return scrollTop / scrollHeight;
  })()`);
  if (at < 0.3 || at > 0.7) throw new Error(`The scrollbar was dragged to ${at} in place of the middle`);
}

async function endAndHome(chromium: Chromium, { x, y }: Place): Promise<void> {
  await chromium.mouse('mousePressed', { x, y });
  await chromium.mouse('mouseReleased', { x, y });
  for (let step = 0; step < 6; step++) {
    await chromium.press(step % 2 === 0 ? 'End' : 'Home');
    await delay(150);
  }
  await chromium.press('Escape');
}
