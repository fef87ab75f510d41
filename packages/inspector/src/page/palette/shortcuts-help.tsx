import { Dialog } from './dialog.tsx';
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
