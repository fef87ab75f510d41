/** The moon at an instant, from the server. */
export interface Moon {
  readonly datetime: string;
  readonly age_days: number;
  /** The lit part of the disc, from 0 to 1. */
  readonly illuminated: number;
  readonly waxing: boolean;
  readonly phase: string;
}

/** The instant of a new moon, full moon or quarter. */
export interface ComingPhase {
  readonly datetime: string;
  readonly phase: string;
}

/** A month, with the moon of each day. */
export interface MonthPage {
  readonly moons: readonly Moon[];
  readonly next: readonly ComingPhase[];
}

/** Capitalizes a text. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const namespace = 'http://www.w3.org/2000/svg';

/** Draws a small moon around the origin: a disc and its lit part. */
export function moonIcon(
  { illuminated, waxing }: { illuminated: number; waxing: boolean },
  radius: number,
): SVGGElement {
  const group = createSvgElement('g', {});
  group.append(createSvgElement('circle', { r: radius, class: 'dark' }));
  if (illuminated < 0.01) return group;
  // The terminator is half an ellipse, which curves to the lit side before the first quarter and away from it afterwards.
  const edge = Math.abs(1 - 2 * illuminated) * radius;
  const back = illuminated < 0.5 ? 0 : 1;
  const lit = `M0 ${-radius}A${radius} ${radius} 0 0 1 0 ${radius}A${edge.toFixed(3)} ${radius} 0 0 ${back} 0 ${-radius}Z`;
  group.append(createSvgElement('path', { d: lit, class: 'lit', ...(!waxing && { transform: 'scale(-1 1)' }) }));
  return group;
}

/** Creates an SVG element. */
export function createSvgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const created = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  return created;
}
