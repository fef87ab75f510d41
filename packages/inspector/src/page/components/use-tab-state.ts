import { useState, useEffect, useRef } from 'preact/hooks';
import { forget, keep, kept } from '../model/tab-storage.ts';
import type { RefObject } from 'preact';
import { place } from '../model/route.ts';

// What is shown grows while it is loaded: for this long it is scrolled again to where it was.
const restoreTimeout = 3000;

/** Keeps how far something is scrolled at a place: after a reload it is where it was, elsewhere it begins at its top. */
export function useKeptScroll(): RefObject<HTMLElement | null> {
  const scroller = useRef<HTMLElement | null>(null);
  const { server, section, name } = place.value;
  const here = JSON.stringify([server, section, name]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const [there, top] = JSON.parse(kept('scroll') ?? '["", 0]') as [string, number];
    const wanted = there === here ? top : 0;
    const restore = () => (element.scrollTop = wanted);
    restore();
    const grown = new ResizeObserver(restore);
    for (const child of element.children) grown.observe(child);
    const settle = () => grown.disconnect();
    const timer = setTimeout(settle, restoreTimeout);
    const note = () => keep('scroll', JSON.stringify([here, element.scrollTop]));
    for (const event of ['wheel', 'pointerdown', 'keydown']) element.addEventListener(event, settle);
    element.addEventListener('scrollend', note);
    return () => {
      clearTimeout(timer);
      settle();
      for (const event of ['wheel', 'pointerdown', 'keydown']) element.removeEventListener(event, settle);
      element.removeEventListener('scrollend', note);
    };
  }, [here]);
  return scroller;
}

/** A state of the page that the tab keeps: after a reload it is as it was. */
export function useKept<Value>(key: string, first: Value): [value: Value, set: (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => {
    const before = kept(`kept ${key}`);
    return before === undefined ? first : (JSON.parse(before) as Value);
  });
  const set = (next: Value) => {
    setValue(next);
    if (next === undefined) forget(`kept ${key}`);
    else keep(`kept ${key}`, JSON.stringify(next));
  };
  return [value, set];
}
