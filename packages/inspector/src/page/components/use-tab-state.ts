import { useState, useEffect, useRef } from 'preact/hooks';
import { removeFromTab, saveToTab, loadFromTab } from '../model/tab-storage.ts';
import type { RefObject } from 'preact';
import { route } from '../model/route.ts';

// Content grows while it loads: the position is restored again for this long.
const restoreTimeout = 3000;

/** Restores the scroll position of a route after a reload; another route starts at the top. */
export function useScrollRestoration(): RefObject<HTMLElement | null> {
  const scroller = useRef<HTMLElement | null>(null);
  const { server, section, name } = route.value;
  const here = JSON.stringify([server, section, name]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const [there, top] = JSON.parse(loadFromTab('scroll') ?? '["", 0]') as [string, number];
    const wanted = there === here ? top : 0;
    const restore = () => (element.scrollTop = wanted);
    restore();
    const grown = new ResizeObserver(restore);
    for (const child of element.children) grown.observe(child);
    const settle = () => grown.disconnect();
    const timer = setTimeout(settle, restoreTimeout);
    const note = () => saveToTab('scroll', JSON.stringify([here, element.scrollTop]));
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

/** State that survives a reload of this tab. */
export function useTabState<Value>(key: string, first: Value): [value: Value, set: (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => {
    const before = loadFromTab(`kept ${key}`);
    return before === undefined ? first : (JSON.parse(before) as Value);
  });
  const set = (next: Value) => {
    setValue(next);
    if (next === undefined) removeFromTab(`kept ${key}`);
    else saveToTab(`kept ${key}`, JSON.stringify(next));
  };
  return [value, set];
}
