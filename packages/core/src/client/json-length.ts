/** How long a value is as JSON; infinite where it is nested too deeply to be written. */
export function jsonLength(value: unknown): number {
  try {
    return (JSON.stringify(value) as string | undefined)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
