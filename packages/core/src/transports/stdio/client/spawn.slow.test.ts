import { describe, expect, it } from 'vitest';
import { reach } from '../fixtures/reach.ts';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('connecting to a broken server', () => {
  it.concurrent('times out if it prints anything but messages, and quotes its output', async () => {
    await expect(reach('garbage', { timeoutMs: 10_000, probeMs: 100 })).rejects.toThrow(
      'No answer to "initialize" within 10000 ms. It printed an invalid message: "What did you say?"',
    );
  });

  it.concurrent('times out if it never responds, and terminates the process (C-IO-02)', async () => {
    let said = '';
    const waiting = reach('stubborn', {
      era: 'handshake',
      timeoutMs: 10_000,
      spawn: { stderr: (text) => (said += text) },
    });
    await expect(waiting).rejects.toThrow('No answer to "initialize" within 10000 ms');
    const pid = Number(/I am (\d+)/.exec(said)?.[1]);
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });
});
