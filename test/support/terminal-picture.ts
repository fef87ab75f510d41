/** A command as typed, and its output with ANSI colours. */
export interface Typed {
  readonly command: string;
  readonly printed: string;
}

const width = 9;
const height = 20;
const margin = 20;
const bar = 36;

/** Colours in light and dark mode, by ANSI number. */
const colours: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  90: '#8b949e',
};

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function style(codes: ReadonlySet<number>): string {
  const colour = Object.keys(colours).find((code) => codes.has(Number(code)));
  const fill = colour === undefined ? (codes.has(2) ? colours[90] : undefined) : colours[Number(colour)];
  return [fill && ` fill="${fill}"`, codes.has(1) && ' font-weight="bold"', codes.has(3) && ' font-style="italic"']
    .filter(Boolean)
    .join('');
}

/** Splits a line into parts, each with its ANSI codes. */
function parts(line: string): { codes: number[]; text: string }[] {
  const [first = '', ...others] = line.split('\u001b[');
  return [
    { codes: [], text: first },
    ...others.map((other) => {
      const end = other.indexOf('m');
      return { codes: other.slice(0, end).split(';').map(Number), text: other.slice(end + 1) };
    }),
  ];
}

function lengthOf(line: string): number {
  return parts(line).reduce((length, { text }) => length + text.length, 0);
}

/** Renders a line as SVG text spans. */
function spans(line: string): string {
  const on = new Set<number>();
  return parts(line)
    .map(({ codes, text }) => {
      for (const code of codes) {
        if (code === 0) on.clear();
        else if (code === 22) for (const one of [1, 2]) on.delete(one);
        else if (code === 23) on.delete(3);
        else if (code === 39) for (const one of Object.keys(colours)) on.delete(Number(one));
        else on.add(code);
      }
      return text === '' ? '' : `<tspan${style(on)}>${escape(text)}</tspan>`;
    })
    .join('');
}

/** Draws a terminal session as SVG. */
export function terminalPicture(session: readonly Typed[]): string {
  const lines = session.flatMap(({ command, printed }, index) => [
    ...(index === 0 ? [] : ['']),
    `\u001b[32m$\u001b[39m \u001b[1m${command}\u001b[22m`,
    ...printed.trimEnd().split('\n'),
  ]);
  const columns = Math.max(...lines.map(lengthOf));
  const across = columns * width + 2 * margin;
  const down = lines.length * height + bar + margin;
  const texts = lines.map((line, index) => {
    const y = bar + (index + 0.75) * height;
    return `<text x="${margin}" y="${y}" xml:space="preserve">${spans(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${across} ${down}" width="${across}" height="${down}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g fill="#30363d"><circle cx="22" cy="18" r="6"/><circle cx="42" cy="18" r="6"/><circle cx="62" cy="18" r="6"/></g>
<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="15">
${texts.join('\n')}
</g>
</svg>
`;
}
