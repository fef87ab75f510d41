import { describe, expect, it } from 'vitest';
import { pause } from './pause.ts';

describe('a pause', () => {
  it('is none where it was called off before', async () => {
    expect(await pause(60_000, AbortSignal.abort())).toBeUndefined();
  });

  it('is over when it is called off', async () => {
    const controller = new AbortController();
    const paused = pause(60_000, controller.signal);
    controller.abort();
    expect(await paused).toBeUndefined();
  });
});
