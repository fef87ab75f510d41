// The parts of the DOM that are used, so that programs without a page need no DOM types.

/** The window of the page that shows a view. */
export interface PageWindow {
  readonly location: { readonly origin: string };
  readonly document: { readonly activeElement: unknown };
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void;
  addEventListener(
    type: 'focusin' | 'keydown' | 'pointerdown',
    listener: (event: PageInput) => void,
    first: true,
  ): void;
  addEventListener(type: 'blur', listener: () => void): void;
  removeEventListener(type: 'message', listener: (event: PageMessage) => void): void;
  removeEventListener(
    type: 'focusin' | 'keydown' | 'pointerdown',
    listener: (event: PageInput) => void,
    first: true,
  ): void;
  removeEventListener(type: 'blur', listener: () => void): void;
}

/** An input event of the page. */
export interface PageInput {
  readonly target: unknown;
  /** For keyboard events. */
  readonly key?: string;
}

/** An element that can have the focus. */
export interface FocusableElement {
  focus(): void;
}

/** A message event of the window. */
export interface PageMessage {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
}

/** The frame of a view: an `<iframe>`. */
export interface FrameElement {
  src: string;
  title: string;
  allow: string;
  readonly style: { border: string; display: string; width: string; height: string };
  readonly contentWindow: { postMessage(message: unknown, targetOrigin: string): void } | null;
  setAttribute(name: string, value: string): void;
  addEventListener(type: 'load', listener: () => void): void;
  remove(): void;
  blur(): void;
}

/** The element that contains a view: any `HTMLElement`. */
export interface AppContainer {
  readonly clientWidth: number;
  readonly ownerDocument: { createElement(name: 'iframe'): FrameElement; readonly defaultView: PageWindow | null };
  append(node: never): void;
}
