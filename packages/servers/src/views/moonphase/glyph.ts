const namespace = 'http://www.w3.org/2000/svg';

/** The moon as a small drawing: a disc, and the lit part of it, around the middle of a picture. */
export function glyph({ illuminated, waxing }: { illuminated: number; waxing: boolean }, radius: number): SVGGElement {
  const group = element('g', {});
  group.append(element('circle', { r: radius, class: 'dark' }));
  if (illuminated < 0.01) return group;
  // The shadow's edge is half an ellipse, which bulges to the lit side before the first quarter and from it afterwards.
  const edge = Math.abs(1 - 2 * illuminated) * radius;
  const back = illuminated < 0.5 ? 0 : 1;
  const lit = `M0 ${-radius}A${radius} ${radius} 0 0 1 0 ${radius}A${edge.toFixed(3)} ${radius} 0 0 ${back} 0 ${-radius}Z`;
  group.append(element('path', { d: lit, class: 'lit', ...(!waxing && { transform: 'scale(-1 1)' }) }));
  return group;
}

/** An element of a drawing. */
export function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
