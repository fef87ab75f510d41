import { isObject } from '../../../jsonrpc/message.ts';

/** True for two values that are the same as JSON, whatever the order of their members. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    const isSame = (name: string): boolean => Object.hasOwn(other, name) && sameJson(one[name], other[name]);
    return names.length === Object.keys(other).length && names.every(isSame);
  }
  return one === other;
}
