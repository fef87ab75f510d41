import { byId } from '../host/dom.ts';
import { element, glyph } from './glyph.ts';
import type { Moon } from './moon.ts';

const roomForNumber = 19;
const leastThumb = 16;

/** A month: a small moon for each day, and over them the slider. */
export class MonthStrip {
  readonly #slider = byId('day', HTMLInputElement);
  /** How wide a day is, in pixels. */
  #cell = 0;
  readonly #drawing = document.getElementById('days') as unknown as SVGSVGElement;

  constructor(chosen: (day: number) => void) {
    this.#slider.addEventListener('input', () => {
      this.#mark();
      chosen(this.day);
    });
  }

  get day(): number {
    return Number(this.#slider.value);
  }

  /** Moves to a day, which the slider tells in words. */
  set(day: number, words: string): void {
    this.#slider.value = String(day);
    this.#slider.setAttribute('aria-valuetext', words);
    this.#mark();
  }

  focus(): void {
    this.#slider.focus();
  }

  /** Draws the days of a month, with numbers as the host's language writes them. */
  draw(moons: readonly Moon[], written: (day: number) => string): void {
    this.#slider.max = String(moons.length);
    const cell = this.#drawing.clientWidth / moons.length;
    if (!(cell > 0)) return;
    // A thumb wider than a day would not stand above it: then the slider begins and ends a little outside.
    const thumb = Math.max(cell, leastThumb);
    this.#slider.style.setProperty('--cell', `${thumb}px`);
    this.#slider.style.setProperty('--over', `${thumb - cell}px`);
    this.#drawing.replaceChildren(
      ...moons.map((moon, index) => dayOf(moon, (index + 0.5) * cell, { cell, written: written(index + 1) })),
    );
    this.#cell = cell;
    this.#mark();
  }

  /** The chosen day has its number always, others as far as there is room beside it. */
  #mark(): void {
    const numbers = [...this.#drawing.querySelectorAll('text')];
    numbers.forEach((number, index) => {
      const away = Math.abs(index + 1 - this.day) * this.#cell;
      const isNamed = this.#cell >= roomForNumber || index % 7 === 0 || (index === numbers.length - 1 && index % 7 > 2);
      number.classList.toggle('chosen', away === 0);
      number.toggleAttribute('hidden', away > 0 && (!isNamed || away < roomForNumber));
    });
  }
}

function dayOf(moon: Moon, middle: number, { cell, written }: { cell: number; written: string }): SVGGElement {
  const group = element('g', { transform: `translate(${middle} 19)` });
  const number = element('text', { y: 33 });
  number.textContent = written;
  group.append(glyph(moon, Math.min(9, cell * 0.36)), number);
  return group;
}
