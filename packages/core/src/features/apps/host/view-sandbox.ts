import { isObject } from '../../../jsonrpc/message.ts';
import { pageLimits as limits } from '../../../page-limits.ts';
import { allowAttribute, encodeSettings, type SandboxSettings } from '../sandbox-settings.ts';
import { AppError } from './app-error.ts';
import type { ViewSize } from './auto-resizer.ts';
import type { GrantedPermissions } from './capabilities.ts';
import type { AppContainer, FocusableElement, FrameElement, PageInput, PageMessage, PageWindow } from './dom.ts';
import type { AppHostOptions } from './options.ts';
import type { AppPage } from './read-page.ts';
import { parseReport, type SandboxReport } from './sandbox-report.ts';

/** Events of a sandbox. */
export interface ViewSandboxEvents {
  /** The document was loaded. */
  onLoad(): void;
  /** The view sent a message. */
  onMessage(message: unknown): void;
  onNavigation(): void;
  onFocusGrab(): void;
  onReport(report: SandboxReport): void;
}

const own = 'ui/notifications/sandbox-';

/** The sandbox of one view: its frame, its document and its reports. */
export class ViewSandbox {
  readonly granted: GrantedPermissions;
  readonly reports: SandboxReport[] = [];
  isFilled = false;
  readonly #frame: SandboxFrame;
  readonly #page: AppPage;
  readonly #events: ViewSandboxEvents;

  constructor(options: AppHostOptions, page: AppPage, events: ViewSandboxEvents) {
    const { container, sandboxUrl, partition, relaxed = false, permissions = [] } = options;
    const hasNames = sandboxUrl.includes('*');
    const { origin = hasNames ? 'own' : 'opaque' } = options;
    if (origin === 'own' && !hasNames) {
      throw new AppError(
        'sandbox',
        'sandboxUrl must have a * for views with an origin of their own, or all would share one',
      );
    }
    this.#page = page;
    this.#events = events;
    this.granted = { csp: page.csp, permissions: page.permissions.filter((name) => permissions.includes(name)) };
    const place = { sandboxUrl, partition, own: origin === 'own', relaxed, ...this.granted };
    this.#frame = new SandboxFrame(container, place, {
      onMessage: (given) => this.#receive(given),
      onNavigation: events.onNavigation,
      onFocusGrab: events.onFocusGrab,
    });
  }

  post(message: unknown): void {
    this.#frame.post(message);
  }

  resize(size: ViewSize): void {
    this.#frame.resize(size);
  }

  remove(): void {
    this.#frame.remove();
  }

  #receive(message: unknown): void {
    const method = isObject(message) && typeof message.method === 'string' ? message.method : '';
    if (!method.startsWith(own)) return this.#events.onMessage(message);
    if (method === `${own}proxy-ready` && !this.isFilled) return this.#fill();
    if (method === `${own}report`) this.#note(parseReport((message as { params?: unknown }).params));
  }

  #fill(): void {
    this.isFilled = true;
    const { csp, permissions } = this.granted;
    const granted = Object.fromEntries(permissions.map((name) => [name, {}]));
    const params = { html: this.#page.html, csp, permissions: granted };
    this.#frame.post({ jsonrpc: '2.0', method: `${own}resource-ready`, params });
    this.#events.onLoad();
  }

  #note(report: SandboxReport | undefined): void {
    if (report === undefined || this.reports.length >= limits.appHost.reports.value) return;
    this.reports.push(report);
    this.#events.onReport(report);
  }
}

/** The maximum length of a sandbox URL, which contains the view's policy, in characters. */
const maxSandboxUrlLength = 12_288;

/** Events of a frame. */
export interface SandboxFrameEvents {
  onMessage(message: unknown): void;
  /** The frame navigated away. */
  onNavigation(): void;
  /** The view keeps taking the focus. */
  onFocusGrab(): void;
}

/** The address and settings of a sandbox. */
export interface SandboxLocation extends Omit<SandboxSettings, 'host'> {
  readonly sandboxUrl: string;
  readonly partition: string | undefined;
}

/** The frame of a sandbox. It has another origin than the page, and only messages from that origin are accepted. */
export class SandboxFrame {
  readonly #container: AppContainer;
  readonly #window: PageWindow;
  readonly #frame: FrameElement;
  readonly #origin: string;
  readonly #listener: (event: PageMessage) => void;
  readonly #guard: FocusGuard;

  constructor(
    container: AppContainer,
    { sandboxUrl, partition, ...held }: SandboxLocation,
    events: SandboxFrameEvents,
  ) {
    this.#container = container;
    const { ownerDocument } = container;
    if (ownerDocument.defaultView === null)
      throw new TypeError('container must be an element of a document in a window');
    this.#window = ownerDocument.defaultView;
    const host = this.#window.location.origin;
    const url = new URL(`/proxy/${encodeSettings({ ...held, host })}`, placeOf(sandboxUrl, partition));
    if (url.origin === host)
      throw new AppError('sandbox', 'sandboxUrl must be of another origin than the page that shows the view');
    if (url.href.length > maxSandboxUrlLength) {
      throw new AppError('page', 'The view declares too many origins for its sandbox');
    }
    this.#origin = url.origin;
    this.#frame = ownerDocument.createElement('iframe');
    this.#frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
    this.#frame.setAttribute('referrerpolicy', 'no-referrer');
    this.#frame.title = 'View';
    Object.assign(this.#frame.style, { border: '0', display: 'block', width: '100%' });
    this.#frame.allow = allowAttribute(held.permissions, true);
    this.#frame.src = url.href;
    this.#listener = ({ source, origin, data }) => {
      if (source === this.#frame.contentWindow && origin === this.#origin) events.onMessage(data);
    };
    let isLoaded = false;
    this.#frame.addEventListener('load', () => {
      if (isLoaded) events.onNavigation();
      isLoaded = true;
    });
    this.#window.addEventListener('message', this.#listener);
    this.#guard = new FocusGuard(this.#window, this.#frame, () => events.onFocusGrab());
    container.append(this.#frame as never);
  }

  post(message: unknown): void {
    this.#frame.contentWindow?.postMessage(message, this.#origin);
  }

  resize({ width, height }: { width?: number; height?: number }): void {
    // A view as wide as its container gets 100%, so that it grows with the container.
    if (width !== undefined) this.#frame.style.width = width < this.#container.clientWidth ? `${width}px` : '100%';
    if (height !== undefined) this.#frame.style.height = `${height}px`;
  }

  /** Removes the frame and everything in it. */
  remove(): void {
    this.#window.removeEventListener('message', this.#listener);
    this.#guard.stop();
    this.#frame.remove();
  }
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** The address of a sandbox, with the view's name in it. */
function placeOf(sandboxUrl: string, partition = randomName()): string {
  if (!label.test(partition) || partition.endsWith('-view')) {
    throw new TypeError('partition must be at most 50 small letters, digits and dashes, and not end in "-view"');
  }
  return sandboxUrl.replace('*', partition);
}

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `v${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The number of focus thefts that end a view, less than ten seconds apart. */
const maxFocusThefts = 5;

/** The time after a key press or click in the page in which a view must not take the focus. */
const focusMs = 500;

const calmMs = 10_000;

/**
 * Restores the focus that a view takes from a person who types or has just clicked in the page: their keystrokes would
 * go to the view. Otherwise focus may move into a view, since people and assistive technology move it too.
 */
export class FocusGuard {
  readonly #window: PageWindow;
  readonly #frame: FrameElement;
  readonly #tooOften: () => void;
  /** The element that had the focus. */
  #place: FocusableElement | undefined;
  #lastUsed = Number.NEGATIVE_INFINITY;
  #lastTaken = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(window: PageWindow, frame: FrameElement, tooOften: () => void) {
    this.#window = window;
    this.#frame = frame;
    this.#tooOften = tooOften;
    window.addEventListener('focusin', this.#focused, true);
    window.addEventListener('keydown', this.#used, true);
    window.addEventListener('pointerdown', this.#used, true);
    window.addEventListener('blur', this.#left);
  }

  stop(): void {
    this.#window.removeEventListener('focusin', this.#focused, true);
    this.#window.removeEventListener('keydown', this.#used, true);
    this.#window.removeEventListener('pointerdown', this.#used, true);
    this.#window.removeEventListener('blur', this.#left);
  }

  readonly #focused = ({ target }: PageInput): void => {
    if (target !== this.#frame) this.#place = target as FocusableElement;
  };

  readonly #used = ({ key, target }: PageInput): void => {
    // Tab leads into the view, and a click on its edge may.
    const isWayIn = key === 'Tab' || target === this.#frame;
    this.#lastUsed = isWayIn ? Number.NEGATIVE_INFINITY : performance.now();
  };

  readonly #left = (): void => {
    const now = performance.now();
    if (now - this.#lastUsed >= focusMs) return;
    // The focused element is known after the event.
    setTimeout(() => this.#giveBack(now), 0);
  };

  #giveBack(now: number): void {
    if (this.#window.document.activeElement !== this.#frame) return;
    this.#frame.blur();
    this.#place?.focus();
    // A person who keeps typing still uses the page, even if the view got some of it.
    this.#lastUsed = performance.now();
    this.#taken = now - this.#lastTaken < calmMs ? this.#taken + 1 : 1;
    this.#lastTaken = now;
    if (this.#taken >= maxFocusThefts) this.#tooOften();
  }
}
