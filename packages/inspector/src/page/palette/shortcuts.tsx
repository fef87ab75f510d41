import { getFilter, setFilter } from '../lists/filters.ts';
import { navigate, route, type Section } from '../model/route.ts';
import { hasSection, selectedConnection } from '../model/selectors.ts';
import { changeSettings, settings } from '../model/settings.ts';
import { getAppState } from '../model/store.ts';
import { Dialog, openDialog, openPalette } from './dialog.tsx';

const isApple = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** Formats a shortcut with the platform's command key. */
export function formatShortcut(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}

const keys = [
  ['/', 'filter the list'],
  [formatShortcut('K'), 'command palette'],
  ['↑ ↓ or j k', 'move through a list'],
  ['Enter', 'open, and go to its first field'],
  [formatShortcut('Enter'), 'call'],
  ['r', 'repeat the last call'],
  ['e', 'edit and repeat'],
  ['c', 'copy a call'],
  ['t', 'timeline: below, whole window, closed'],
  ['g t, g r, g p', 'tools, resources, prompts'],
  ['g m', 'templates'],
  ['g l, g s, g k', 'listen, skills, tasks'],
  ['g c', 'the connection'],
  ['Esc', 'leave a field, then go back'],
  ['?', 'this'],
] as const;

/** All shortcuts. */
export function ShortcutsHelp() {
  return (
    <Dialog label="Keys">
      <h1 class="keys-title">Keys</h1>
      <dl class="keys" tabIndex={0}>
        <ShortcutRows keys={keys} />
      </dl>
    </Dialog>
  );
}

/** Shortcuts and their descriptions. */
export function ShortcutRows({ keys }: { keys: readonly (readonly [key: string, what: string])[] }) {
  return keys.map(([key, what]) => (
    <div key={key}>
      <dt>
        <kbd>{key}</kbd>
      </dt>
      <dd>{what}</dd>
    </div>
  ));
}

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
