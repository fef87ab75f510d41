/** The versions of the conversation between host and view, newest first. They are no revisions of the protocol itself. */
const viewVersions: readonly string[] = ['2026-01-26', '2025-11-21'];

/** The version to answer a view with: its own if it is known, else the newest. */
export function agreedVersion(wanted: unknown): string {
  return viewVersions.find((version) => version === wanted) ?? (viewVersions[0] as string);
}
