/** Log levels, least severe first. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** How severe a log message is. */
export type LogLevel = (typeof logLevels)[number];

const severity = new Map<unknown, number>(logLevels.map((level, index) => [level, index]));

/** True for the name of a log level. */
export function isLogLevel(value: unknown): value is LogLevel {
  return severity.has(value);
}

/** True if a message of `level` is severe enough for a reader who asked for `threshold`. */
export function isAtLeast(level: LogLevel, threshold: LogLevel): boolean {
  return (severity.get(level) as number) >= (severity.get(threshold) as number);
}
