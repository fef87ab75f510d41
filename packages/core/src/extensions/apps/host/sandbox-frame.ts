import { pageLimits as limits } from '../../../page-limits.ts';
import { allowAttribute, type SandboxSettings, encodeSettings } from '../sandbox-settings.ts';
import { AppError } from './app-error.ts';
import type { AppContainer, FrameElement, PageMessage, PageWindow } from './dom.ts';
import { FocusGuard } from './focus-guard.ts';

/** Events of a frame. */
export interface SandboxFrameEvents {
  message(message: unknown): void;
  /** The frame navigated away. */
  left(): void;
  /** The view keeps taking the focus. */
  grabbed(): void;
}

/** The address and settings of a sandbox. */
export interface SandboxPlace extends Omit<SandboxSettings, 'host'> {
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

  constructor(container: AppContainer, { sandboxUrl, partition, ...held }: SandboxPlace, events: SandboxFrameEvents) {
    this.#container = container;
    const { ownerDocument } = container;
    if (ownerDocument.defaultView === null)
      throw new TypeError('container must be an element of a document in a window');
    this.#window = ownerDocument.defaultView;
    const host = this.#window.location.origin;
    const url = new URL(`/proxy/${encodeSettings({ ...held, host })}`, placeOf(sandboxUrl, partition));
    if (url.origin === host)
      throw new AppError('sandbox', 'sandboxUrl must be of another origin than the page that shows the view');
    if (url.href.length > limits.appHost.address.value) {
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
      if (source === this.#frame.contentWindow && origin === this.#origin) events.message(data);
    };
    let isLoaded = false;
    this.#frame.addEventListener('load', () => {
      if (isLoaded) events.left();
      isLoaded = true;
    });
    this.#window.addEventListener('message', this.#listener);
    this.#guard = new FocusGuard(this.#window, this.#frame, () => events.grabbed());
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
