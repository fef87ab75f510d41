import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { QuestionLimiter } from './message-rate-limiter.ts';

const never = (): Promise<object> => new Promise(() => {});

describe('questions of a view to a person', () => {
  it('are limited in number at a time (AH-14)', async () => {
    const questions = new QuestionLimiter();
    const answers: ((answer: object) => void)[] = [];
    const waiting = Array.from({ length: 5 }, () =>
      questions.run(() => new Promise((resolve) => answers.push(resolve))),
    );
    await expect(questions.run(never)).rejects.toMatchObject({ code: -32_000 });
    answers[0]?.({});
    expect(await waiting[0]).toEqual({});
    void questions.run(never);
    await expect(questions.run(never)).rejects.toThrow('open already');
  });

  it('are blocked for a while after a rejection (AH-14)', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const questions = new QuestionLimiter();
    expect(await questions.run(async () => ({}))).toEqual({});
    expect(await questions.run(async () => ({ isError: true }))).toEqual({ isError: true });
    const asked = vi.fn<() => Promise<object>>(async () => ({}));
    await expect(questions.run(asked)).rejects.toMatchObject({ code: -32_000 });
    expect(asked).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2000);
    expect(await questions.run(asked)).toEqual({});
  });

  it('that fail no longer count', async () => {
    const questions = new QuestionLimiter();
    const fail = (): Promise<object> => Promise.reject(new Error('no window'));
    for (let time = 0; time < 10; time++) await expect(questions.run(fail)).rejects.toThrow('no window');
  });
});
