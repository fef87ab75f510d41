import { byId, made } from '../host/dom.ts';
import { element, glyph } from './glyph.ts';
import { type ComingPhase, titled } from './moon.ts';

const shown = 4;

interface Coming {
  readonly from: number;
  format(datetime: string): string;
  go(instant: number): void;
}

/** Lists the phases that come after an instant, each a button that leads there. */
export function showComing(phases: readonly ComingPhase[], { from, format, go }: Coming): void {
  const coming = phases.filter(({ datetime }) => Date.parse(datetime) > from).slice(0, shown);
  byId('coming', HTMLElement).hidden = coming.length === 0;
  byId('next', HTMLOListElement).replaceChildren(
    ...coming.map(({ datetime, phase }) => {
      const picture = element('svg', { viewBox: '-10 -10 20 20', 'aria-hidden': 'true' });
      picture.append(glyph({ illuminated: lightOf(phase), waxing: phase !== 'last quarter' }, 9));
      const name = made('span', titled(phase));
      name.className = 'name';
      const when = made('time', format(datetime));
      when.dateTime = datetime;
      when.dir = 'auto';
      const button = made('button');
      button.type = 'button';
      button.append(picture, name, when);
      button.addEventListener('click', () => go(Date.parse(datetime)));
      const item = made('li');
      item.append(button);
      return item;
    }),
  );
}

function lightOf(phase: string): number {
  if (phase === 'new moon') return 0;
  return phase === 'full moon' ? 1 : 0.5;
}
