import { describe, expect, it } from 'vitest';
import { isLogLevel, logLevels, isAtLeast } from './logging.ts';

describe('levels of a log', () => {
  it('are those of syslog, from the least to the most severe', () => {
    expect(logLevels).toEqual(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
  });

  it('reach themselves and everything less severe', () => {
    for (const [index, level] of logLevels.entries()) {
      expect(logLevels.filter((threshold) => isAtLeast(level, threshold))).toEqual(logLevels.slice(0, index + 1));
    }
  });

  it('are distinguished from anything else', () => {
    expect(logLevels.every(isLogLevel)).toBe(true);
    expect(['trace', 'Debug', '', 'toString', 1, null, undefined].some(isLogLevel)).toBe(false);
  });
});
