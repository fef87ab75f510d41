import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { clamped, firstInSight, isAtEnd, lastInSight, type Sight, withRow } from './viewport.ts';

interface Seen extends Sight {
  top: number;
  room: number;
  height: number;
  count: number;
  /** Whether nobody has scrolled away from the end. */
  atEnd: boolean;
  /** How far the browser has scrolled, as far as is known. */
  drawnTop: number;
  revealed: number | undefined;
  /** The rows that are drawn, and by how much their numbers differ from those of their elements. */
  first: number;
  last: number;
  shift: number;
}

/** Many rows of one height, of which only those in sight are drawn. */
export function VirtualRows({
  count,
  row,
  height = 28,
  reveal,
  stick = false,
  label,
  role,
}: {
  count: number;
  /** Draws a row; it is told which ones are drawn with it. */
  row: (index: number, first: number, last: number) => ComponentChildren;
  height?: number;
  /** The row that must be in sight; another number brings it there. */
  reveal?: number | undefined;
  /** Whether the end stays in sight while rows are added, unless somebody has scrolled away from it. */
  stick?: boolean;
  label: string;
  role: 'listbox' | 'tree';
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const { current: seen } = useRef<Seen>({
    top: 0,
    room: 0,
    height,
    count,
    atEnd: true,
    drawnTop: 0,
    revealed: undefined,
    first: 0,
    last: -1,
    shift: 0,
  });
  seen.height = height;
  seen.count = count;
  if (stick && seen.atEnd) seen.top = count * height;
  if (seen.room > 0 && reveal !== seen.revealed) {
    seen.revealed = reveal;
    if (reveal !== undefined && reveal >= 0) seen.top = withRow(seen, reveal);
  }
  seen.top = clamped(seen);
  const first = firstInSight(seen);
  const last = lastInSight(seen);
  // Far away all rows are others: the elements of those that were drawn are used again, which takes less than to make new ones.
  const isFarAway = first > seen.last || last < seen.first;
  if (isFarAway) {
    seen.shift += first - seen.first;
    // The row that had the focus becomes another one; whoever uses keys goes on from here. It is taken away before anything is changed:
    // afterwards the browser would have to lay out all rows for it, twice.
    if (scroller.current?.contains(document.activeElement)) scroller.current.focus({ preventScroll: true });
  }
  seen.first = first;
  seen.last = last;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = () => {
      const { top, room } = seen;
      seen.room = element.clientHeight;
      if (room !== seen.room || top !== seen.top) redraw(undefined);
    };
    const scrolled = () => {
      const before = [firstInSight(seen), lastInSight(seen)];
      seen.top = element.scrollTop;
      seen.drawnTop = seen.top;
      seen.atEnd = isAtEnd(seen);
      if (before[0] !== firstInSight(seen) || before[1] !== lastInSight(seen)) redraw(undefined);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, []);
  useLayoutEffect(() => {
    // To ask where it is would have everything laid out at once.
    if (scroller.current === null || seen.top === seen.drawnTop) return;
    scroller.current.scrollTop = seen.top;
    seen.drawnTop = seen.top;
  });

  const drawn = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <div class="rows" ref={scroller} role={role} aria-label={label} tabIndex={-1}>
      <div class="rows-inside" role="presentation" style={{ height: `${count * height}px` }}>
        {drawn.map((index) => (
          <div
            class="row-place"
            role="presentation"
            key={index - seen.shift}
            style={{ transform: `translateY(${index * height}px)`, height: `${height}px` }}
          >
            {row(index, first, last)}
          </div>
        ))}
      </div>
    </div>
  );
}
