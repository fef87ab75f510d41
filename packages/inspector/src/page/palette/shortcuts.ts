import { filterOf, setFilter } from '../lists/filters.ts';
import { chosenConnection } from '../model/selectors.ts';
import { goTo, place, type Section } from '../model/route.ts';
import { hasSection } from '../model/selectors.ts';
import { set, settings } from '../model/settings.ts';
import { theWorld } from '../model/store.ts';
import { floating, openPalette } from './dialog.tsx';

const sections: Readonly<Record<string, Section>> = {
  t: 'tools',
  r: 'resources',
  m: 'templates',
  p: 'prompts',
  l: 'listen',
  k: 'tasks',
  s: 'skills',
  c: 'server',
};

// After g a letter is waited for this long.
const patience = 1500;
let sawG = Number.NEGATIVE_INFINITY;

/** Listens to the keys that work everywhere. */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openPalette();
    } else if (isCommand && event.key === 'Enter') {
      event.preventDefault();
      press('call');
    } else if (!isCommand && !event.altKey && floating.value === undefined) {
      if (isTyping(event)) {
        if (event.key === 'Escape') leave(event);
      } else if (plainKey(event.key)) event.preventDefault();
    }
  });
}

/** Does what a key means outside of inputs, and says whether it means something. */
function plainKey(key: string): boolean {
  if (performance.now() - sawG < patience) {
    sawG = Number.NEGATIVE_INFINITY;
    const section = sections[key];
    const connection = chosenConnection(theWorld());
    if (section === undefined || connection === undefined || !hasSection(theWorld(), connection, section)) return false;
    goTo({ server: connection.label, section });
    return true;
  }
  switch (key) {
    case '/':
      return focus('#filter');
    case 'g':
      sawG = performance.now();
      return true;
    case 'r':
      return press('repeat');
    case 'e':
      return press('edit');
    case 'c':
      return press('copy');
    case 't': {
      const next = { closed: 'strip', strip: 'full', full: 'closed' } as const;
      set({ timelineIs: next[settings.value.timelineIs] });
      return true;
    }
    case '?':
      floating.value = 'keys';
      return true;
    case 'j':
    case 'k':
      return focus('.entry-row[tabindex="0"]');
    case 'ArrowDown':
    case 'ArrowUp':
      // Elsewhere they scroll, or walk through what has the focus.
      return document.activeElement === document.body && focus('.entry-row[tabindex="0"]');
    case 'Escape':
      return back();
    default:
      return false;
  }
}

function back(): boolean {
  if (settings.value.timelineIs === 'full') {
    set({ timelineIs: 'strip' });
    return true;
  }
  const { server, section, name } = place.value;
  if (name !== undefined) {
    goTo({ server, section });
    requestAnimationFrame(() => focus(`.entry-row[title="${CSS.escape(name)}"]`));
    return true;
  }
  // In a narrow window the list is a page, and there is one before it.
  const isPage = server !== undefined && matchMedia('(max-width: 899px)').matches;
  if (isPage) goTo({});
  return isPage;
}

/** Escape in an input: a filter is cleared first, then left. */
function leave(event: KeyboardEvent): void {
  const input = event.composedPath()[0] as HTMLElement;
  const connection = chosenConnection(theWorld());
  const { section } = place.value;
  if (input.id === 'filter' && connection !== undefined) {
    const kind = section as 'tools' | 'resources' | 'templates' | 'prompts';
    if (filterOf(connection.id, kind) !== '') return setFilter(connection.id, kind, '');
  }
  input.blur();
}

function isTyping(event: KeyboardEvent): boolean {
  const element = event.composedPath()[0];
  if (!(element instanceof HTMLElement)) return false;
  return element.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
}

function press(id: string): boolean {
  const button = document.getElementById(id);
  button?.click();
  if (id === 'copy') button?.parentElement?.querySelector<HTMLElement>('.menu-items button')?.focus();
  return button !== null;
}

function focus(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  if (element instanceof HTMLInputElement) element.select();
  return element !== null;
}
