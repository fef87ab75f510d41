import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** Visible part of a list of rows of equal height, in pixels. */
export interface Viewport {
  /** Scroll offset. */
  readonly top: number;
  /** Height of the visible area. */
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows to render beyond the visible ones, above and below. */
const overscan = 4;

/** Index of the first rendered row. */
export function firstVisible({ top, rowHeight }: Viewport): number {
  return Math.max(0, Math.floor(top / rowHeight) - overscan);
}

/** Index of the last rendered row; one less than the first if there is none. */
export function lastVisible({ top, height, rowHeight, count }: Viewport): number {
  return height === 0
    ? firstVisible({ top, height, rowHeight, count }) - 1
    : Math.min(count - 1, Math.ceil((top + height) / rowHeight) - 1 + overscan);
}

/** Clamps the scroll offset. */
export function clampScroll({ top, height, rowHeight, count }: Viewport): number {
  return Math.max(0, Math.min(top, count * rowHeight - height));
}

/** Whether it is scrolled to the end, or nearly. */
export function isAtEnd({ top, height, rowHeight, count }: Viewport): boolean {
  return top + height >= count * rowHeight - rowHeight / 2;
}

/** Minimal scroll offset that makes a row visible. */
export function scrollToRow({ top, height, rowHeight }: Viewport, row: number): number {
  return Math.max(Math.min(top, row * rowHeight), (row + 1) * rowHeight - height);
}

interface ScrollState extends Viewport {
  top: number;
  height: number;
  rowHeight: number;
  count: number;
  /** Whether the user has not scrolled away from the end. */
  atEnd: boolean;
  /** Last known scroll offset of the browser. */
  drawnTop: number;
  revealed: number | undefined;
  /** Range of rendered rows, and the offset between row numbers and element keys. */
  first: number;
  last: number;
  shift: number;
}

/** Virtual list: renders only the visible rows. */
export function VirtualRows({
  count,
  row,
  rowKey,
  height = 28,
  reveal,
  stick = false,
  label,
  role,
}: {
  count: number;
  /** Renders a row, given the rendered range. */
  row: (index: number, first: number, last: number) => ComponentChildren;
  /** Identifies a row where the list changes: its element, and so focus and clicks, stay with it. */
  rowKey?: (index: number) => string;
  height?: number;
  /** Row to keep visible; a change scrolls to it. */
  reveal?: number | undefined;
  /** Whether to follow the end while rows are added. */
  stick?: boolean;
  label: string;
  role: 'listbox' | 'tree';
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const { current: scroll } = useRef<ScrollState>({
    top: 0,
    height: 0,
    rowHeight: height,
    count,
    atEnd: true,
    drawnTop: 0,
    revealed: undefined,
    first: 0,
    last: -1,
    shift: 0,
  });
  scroll.rowHeight = height;
  scroll.count = count;
  if (stick && scroll.atEnd) scroll.top = count * height;
  if (scroll.height > 0 && reveal !== scroll.revealed) {
    scroll.revealed = reveal;
    if (reveal !== undefined && reveal >= 0) scroll.top = scrollToRow(scroll, reveal);
  }
  scroll.top = clampScroll(scroll);
  const first = firstVisible(scroll);
  const last = lastVisible(scroll);
  // After a jump no row stays: reusing their elements is cheaper than creating new ones.
  const isFarAway = first > scroll.last || last < scroll.first;
  if (isFarAway) {
    scroll.shift += first - scroll.first;
    // The focused row becomes another one. Focus moves to the list before any change: afterwards it would force two layouts.
    if (scroller.current?.contains(document.activeElement)) scroller.current.focus({ preventScroll: true });
  }
  scroll.first = first;
  scroll.last = last;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = () => {
      const { top, height: heightBefore } = scroll;
      scroll.height = element.clientHeight;
      if (heightBefore !== scroll.height || top !== scroll.top) redraw(undefined);
    };
    const onScroll = () => {
      const before = [firstVisible(scroll), lastVisible(scroll)];
      scroll.top = element.scrollTop;
      scroll.drawnTop = scroll.top;
      scroll.atEnd = isAtEnd(scroll);
      if (before[0] !== firstVisible(scroll) || before[1] !== lastVisible(scroll)) redraw(undefined);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  useLayoutEffect(() => {
    // Reading scrollTop would force a layout.
    if (scroller.current === null || scroll.top === scroll.drawnTop) return;
    scroller.current.scrollTop = scroll.top;
    scroll.drawnTop = scroll.top;
  });

  const drawn = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <div class="rows" ref={scroller} role={role} aria-label={label} tabIndex={-1}>
      <div class="rows-inside" role="presentation" style={{ height: `${count * height}px` }}>
        {drawn.map((index) => (
          <div
            class="row-slot"
            role="presentation"
            key={rowKey?.(index) ?? index - scroll.shift}
            style={{ transform: `translateY(${index * height}px)`, height: `${height}px` }}
          >
            {row(index, first, last)}
          </div>
        ))}
      </div>
    </div>
  );
}
