import { useState } from 'preact/hooks';
import { forget, keep, kept } from '../model/tab.ts';

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
