import { render } from 'preact';
import './styles/all.css';
import { reopenRecording } from './recordings/recordings.ts';
import { takeToken } from './model/api.ts';
import { leadToServer, noteOpening } from './model/initial-route.ts';
import { followAddress } from './model/route.ts';
import { followTheme } from './model/settings.ts';
import { follow, isUpToDate, theWorld, whenUpToDate } from './model/store.ts';
import { keepFocus } from './components/focus.ts';
import { Workbench } from './workbench.tsx';

/** The fonts that every page begins with. */
const fonts = [
  'var(--size) var(--sans)',
  '600 var(--size) var(--sans)',
  'var(--small) var(--sans)',
  'var(--small) var(--mono)',
];

/**
 * Has the browser find the fonts of the page while what is to be shown in them is on its way: one that is still starting takes long for
 * each of them, and for each that is not there. Between them it can do something else.
 */
async function findFonts(): Promise<void> {
  // There `system-ui` and `monospace` are what the person has chosen, and none of those that are named for other systems.
  if (/Linux|X11|CrOS/.test(navigator.userAgent)) document.documentElement.dataset.fonts = 'chosen';
  for (const font of fonts) {
    await new Promise((resolve) => setTimeout(resolve));
    const text = document.createElement('span');
    text.style.font = font;
    text.textContent = 'a';
    document.body.append(text);
    void text.offsetWidth;
    text.remove();
  }
}

takeToken();
followAddress();
noteOpening();
void reopenRecording();
follow();
followTheme();
void findFonts();
keepFocus();

// What is drawn before anything is known is drawn for nothing; but whoever waits must see for what.
const patienceMs = 150;
const page = document.querySelector('#page');
await Promise.race([whenUpToDate, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
if (isUpToDate.value) leadToServer(theWorld());
if (page !== null) render(<Workbench />, page);
