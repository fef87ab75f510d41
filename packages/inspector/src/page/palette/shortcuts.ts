import { getFilter, setFilter } from '../lists/filters.ts';
import { selectedConnection } from '../model/selectors.ts';
import { navigate, route, type Section } from '../model/route.ts';
import { hasSection } from '../model/selectors.ts';
import { changeSettings, settings } from '../model/settings.ts';
import { getAppState } from '../model/store.ts';
import { openDialog, openPalette } from './dialog.tsx';

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

// Timeout of the second key of a `g` sequence.
const sequenceTimeoutMs = 1500;
let lastGAt = Number.NEGATIVE_INFINITY;

/** Handles global keyboard shortcuts. */
export function listenForShortcuts(): void {
  addEventListener('keydown', (event) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openPalette();
    } else if (isCommand && event.key === 'Enter') {
      event.preventDefault();
      clickButton('call');
    } else if (!isCommand && !event.altKey && openDialog.value === undefined) {
      if (isTyping(event)) {
        if (event.key === 'Escape') leaveInput(event);
      } else if (runShortcut(event.key)) event.preventDefault();
    }
  });
}

/** Handles a key outside of inputs; true if it is a shortcut. */
function runShortcut(key: string): boolean {
  if (performance.now() - lastGAt < sequenceTimeoutMs) {
    lastGAt = Number.NEGATIVE_INFINITY;
    const section = sections[key];
    const connection = selectedConnection(getAppState());
    if (section === undefined || connection === undefined || !hasSection(getAppState(), connection, section))
      return false;
    navigate({ server: connection.label, section });
    return true;
  }
  switch (key) {
    case '/':
      return focus('#filter');
    case 'g':
      lastGAt = performance.now();
      return true;
    case 'r':
      return clickButton('repeat');
    case 'e':
      return clickButton('edit');
    case 'c':
      return clickButton('copy');
    case 't': {
      const next = { closed: 'strip', strip: 'full', full: 'closed' } as const;
      changeSettings({ timelineIs: next[settings.value.timelineIs] });
      return true;
    }
    case '?':
      openDialog.value = 'keys';
      return true;
    case 'j':
    case 'k':
      return focus('.entry-row[tabindex="0"]');
    case 'ArrowDown':
    case 'ArrowUp':
      // Otherwise they scroll or move within the focused widget.
      return document.activeElement === document.body && focus('.entry-row[tabindex="0"]');
    case 'Escape':
      return goBack();
    default:
      return false;
  }
}

function goBack(): boolean {
  if (settings.value.timelineIs === 'full') {
    changeSettings({ timelineIs: 'strip' });
    return true;
  }
  const { server, section, name } = route.value;
  if (name !== undefined) {
    navigate({ server, section });
    requestAnimationFrame(() => focus(`.entry-row[title="${CSS.escape(name)}"]`));
    return true;
  }
  // In a narrow window the list is a page of its own.
  const isPage = server !== undefined && matchMedia('(max-width: 899px)').matches;
  if (isPage) navigate({});
  return isPage;
}

/** Escape in an input: clears a filter first, then leaves. */
function leaveInput(event: KeyboardEvent): void {
  const input = event.composedPath()[0] as HTMLElement;
  const connection = selectedConnection(getAppState());
  const { section } = route.value;
  if (input.id === 'filter' && connection !== undefined) {
    const kind = section as 'tools' | 'resources' | 'templates' | 'prompts';
    if (getFilter(connection.id, kind) !== '') return setFilter(connection.id, kind, '');
  }
  input.blur();
}

function isTyping(event: KeyboardEvent): boolean {
  const element = event.composedPath()[0];
  if (!(element instanceof HTMLElement)) return false;
  return element.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
}

function clickButton(id: string): boolean {
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
