/** A text of a stranger that should be one; empty where it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
