import { render } from 'preact';
import './styles/base.css';
import './styles/workbench.css';
import './styles/connection.css';
import './styles/detail.css';
import './styles/result.css';
import './styles/timeline.css';
import './styles/compare.css';
import { reopenRecording } from './recordings/recordings.ts';
import { readToken } from './model/api.ts';
import { routeToFirstServer, detectFreshOpen } from './model/selectors.ts';
import { startRouter } from './model/route.ts';
import { applyTheme } from './model/settings.ts';
import { startEventStream, isUpToDate, getAppState, upToDate } from './model/store.ts';
import { restoreLostFocus } from './components/focus.ts';
import { Workbench } from './workbench.tsx';

/** Fonts of the first paint. */
const fonts = [
  'var(--size) var(--sans)',
  '600 var(--size) var(--sans)',
  'var(--small) var(--sans)',
  'var(--small) var(--mono)',
];

/** Loads the fonts while data is in flight: a starting browser takes long for each font, also for missing ones. Yields between fonts. */
async function preloadFonts(): Promise<void> {
  // On Linux, `system-ui` and `monospace` are the user's choice, and fonts of other systems are absent.
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

readToken();
startRouter();
detectFreshOpen();
void reopenRecording();
startEventStream();
applyTheme();
void preloadFonts();
restoreLostFocus();

// Rendering before the data arrives is wasted, but a waiting user must see why.
const firstRenderTimeoutMs = 150;
const page = document.querySelector('#page');
await Promise.race([upToDate, new Promise((resolve) => setTimeout(resolve, firstRenderTimeoutMs))]);
if (isUpToDate.value) routeToFirstServer(getAppState());
if (page !== null) render(<Workbench />, page);
