import { describe, expect, it } from 'vitest';
import { openPage } from './fixtures/page.ts';

describe('the doctor', () => {
  it('tells of each step what was asked, what came, and what is wrong', async () => {
    const page = await openPage({
      async examine(target, { found, tap }) {
        const url = target.kind === 'url' ? target.url : '';
        found({ step: 'name', status: 'ok', says: 'found' });
        const watch = tap.request({
          method: 'GET',
          url,
          headers: { Authorization: 'Bearer abc123' },
          body: undefined,
          about: 'messages',
        });
        watch?.response({ status: 404, statusText: 'Not Found', headers: [['Content-Type', 'text/html']] });
        watch?.data('<p>Nothing here');
        watch?.end();
        found({ step: 'endpoint', status: 'wrong', says: 'there is nothing', advice: 'look elsewhere' });
        return { kind: 'not-found', says: 'there is nothing', advice: 'look elsewhere' };
      },
    });
    const { doctor } = (await page.ask('doctor', { typed: 'http://127.0.0.1:9/mcp' })) as { doctor: string };
    const end = await page.until('doctor-end');
    expect(end).toMatchObject({ doctor, problem: { kind: 'not-found' } });
    const steps = page.events.filter((event) => event.type === 'doctor-step');
    expect(steps).toMatchObject([
      { step: 'name', status: 'ok', exchanges: [] },
      { step: 'endpoint', status: 'wrong', exchanges: ['x1'] },
    ]);
    expect(page.events).toContainEqual(
      expect.objectContaining({
        type: 'http-request',
        exchange: 'x1',
        doctor,
        headers: [['Authorization', 'Bearer [masked]']],
      }),
    );
    expect(page.events).toContainEqual(
      expect.objectContaining({ type: 'http-end', exchange: 'x1', body: '<p>Nothing here' }),
    );
  });

  it('is not there where nobody can examine, and examines no command that nobody has seen', async () => {
    const none = await openPage();
    await expect(none.ask('doctor', { typed: 'http://127.0.0.1:9/' })).rejects.toThrow('Nothing can be examined');
    const page = await openPage({
      examine: async () => undefined,
      resolveTarget: async (typed) => ({ kind: 'command', command: typed, args: [], label: typed }),
    });
    expect(await page.ask('doctor', { typed: 'rm' })).toHaveProperty('confirm');
  });
});
