import { describe, expect, it } from 'vitest';
import { ReconnectBackoff } from './reconnect-backoff.ts';

/** The pauses of many clients in the same situation. */
function pauses(situation: (pause: ReconnectBackoff) => void): number[] {
  return Array.from({ length: 200 }, () => {
    const pause = new ReconnectBackoff();
    situation(pause);
    return pause.delayMs;
  });
}

describe('the backoff of clients that failed together', () => {
  it('has jitter, so that they do not all reconnect at once (MI-13)', () => {
    const all = pauses((pause) => {
      for (let each = 0; each < 3; each++) pause.onFailure();
    });
    expect(new Set(all.map(Math.floor)).size).toBeGreaterThan(100);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(4000);
    expect(Math.max(...all)).toBeLessThanOrEqual(8000);
    expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(2000);
  });

  it('is never shorter than the delay of the server, and equal to it without failures', () => {
    const wished = (pause: ReconnectBackoff): void => pause.setServerDelay(20_000);
    expect(new Set(pauses(wished))).toEqual(new Set([20_000]));
    const failed = pauses((pause) => {
      wished(pause);
      pause.onFailure();
    });
    expect(Math.min(...failed)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...failed)).toBeLessThanOrEqual(30_000);
  });
});
