import { byId } from '../host/dom.ts';
import { element, glyph } from './glyph.ts';
import type { Moon } from './moon.ts';

const roomForNumber = 19;
const leastThumb = 16;

/** A month: a small moon for each day, and over them the slider. */
export class MonthStrip {
  readonly #slider = byId('day', HTMLInputElement);
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

  draw(moons: readonly Moon[]): void {
    this.#slider.max = String(moons.length);
    const cell = this.#drawing.clientWidth / moons.length;
    if (!(cell > 0)) return;
    // A thumb wider than a day would not stand above it: then the slider begins and ends a little outside.
    const thumb = Math.max(cell, leastThumb);
    this.#slider.style.setProperty('--cell', `${thumb}px`);
    this.#slider.style.setProperty('--over', `${thumb - cell}px`);
    this.#drawing.replaceChildren(...moons.map((moon, index) => dayOf(moon, index, { cell, count: moons.length })));
    this.#mark();
  }

  #mark(): void {
    for (const number of this.#drawing.querySelectorAll('text')) {
      number.classList.toggle('chosen', number.dataset.day === this.#slider.value);
    }
  }
}

function dayOf(moon: Moon, index: number, { cell, count }: { cell: number; count: number }): SVGGElement {
  const group = element('g', { transform: `translate(${(index + 0.5) * cell} 19)` });
  group.append(glyph(moon, Math.min(9, cell * 0.36)));
  const isNamed = cell >= roomForNumber || index % 7 === 0 || (index === count - 1 && index % 7 > 2);
  if (isNamed) {
    const number = element('text', { y: 33, 'data-day': index + 1 });
    number.textContent = String(index + 1);
    group.append(number);
  }
  return group;
}
