/** The texts of the protocol between host and view that these views know, the newest first. */
export const knownVersions: readonly string[] = ['2026-01-26', '2025-11-21'];
