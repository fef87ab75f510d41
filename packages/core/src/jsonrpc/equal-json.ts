import { isObject } from './message.ts';

/** True for equal JSON values, whatever the order of members. Throws for values that are nested too deeply. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqualJson(item, other[index]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    const isSame = (name: string): boolean => Object.hasOwn(other, name) && isEqualJson(one[name], other[name]);
    return names.length === Object.keys(other).length && names.every(isSame);
  }
  return one === other;
}
