import { byId } from '../host/dom.ts';
import { createSvgElement, moonIcon, type Moon } from './moon.ts';

const minNumberWidth = 19;
const minThumbWidth = 16;

/** A month: a small moon for each day, below the slider. */
export class MonthStrip {
  readonly #slider = byId('day', HTMLInputElement);
  /** The width of a day, in pixels. */
  #cell = 0;
  readonly #drawing = document.getElementById('days') as unknown as SVGSVGElement;

  constructor(onChange: (day: number) => void) {
    this.#slider.addEventListener('input', () => {
      this.#mark();
      onChange(this.day);
    });
  }

  get day(): number {
    return Number(this.#slider.value);
  }

  /** Selects a day; the text is its accessible value. */
  set(day: number, text: string): void {
    this.#slider.value = String(day);
    this.#slider.setAttribute('aria-valuetext', text);
    this.#mark();
  }

  focus(): void {
    this.#slider.focus();
  }

  /** Draws the days of a month with localized numbers. */
  draw(moons: readonly Moon[], format: (day: number) => string): void {
    this.#slider.max = String(moons.length);
    const cell = this.#drawing.clientWidth / moons.length;
    if (!(cell > 0)) return;
    // If the thumb is wider than a day, the slider is extended so that it stays centred on the days.
    const thumb = Math.max(cell, minThumbWidth);
    this.#slider.style.setProperty('--cell', `${thumb}px`);
    this.#slider.style.setProperty('--over', `${thumb - cell}px`);
    this.#drawing.replaceChildren(
      ...moons.map((moon, index) => createDay(moon, (index + 0.5) * cell, { cell, label: format(index + 1) })),
    );
    this.#cell = cell;
    this.#mark();
  }

  /** Shows the number of the selected day, and others if there is room. */
  #mark(): void {
    const numbers = [...this.#drawing.querySelectorAll('text')];
    numbers.forEach((number, index) => {
      const away = Math.abs(index + 1 - this.day) * this.#cell;
      const isNamed =
        this.#cell >= minNumberWidth || index % 7 === 0 || (index === numbers.length - 1 && index % 7 > 2);
      number.classList.toggle('chosen', away === 0);
      number.toggleAttribute('hidden', away > 0 && (!isNamed || away < minNumberWidth));
    });
  }
}

function createDay(moon: Moon, middle: number, { cell, label }: { cell: number; label: string }): SVGGElement {
  const group = createSvgElement('g', { transform: `translate(${middle} 19)` });
  const number = createSvgElement('text', { y: 33 });
  number.textContent = label;
  group.append(moonIcon(moon, Math.min(9, cell * 0.36)), number);
  return group;
}
