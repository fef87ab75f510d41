import { appsClient } from '@ccmcp/core/apps';
import {
  expectStructured,
  expectText,
  expectToolError,
  expectView,
  type TestClient,
  testClient,
} from '@ccmcp/core/testing';
import { describe, expect, it } from 'vitest';
import { comingPhases } from './moon.ts';
import { moonphaseServer } from './server.ts';

function client(): Promise<TestClient> {
  return testClient(moonphaseServer({ logLevel: 'emergency' }), { extensions: [appsClient] });
}

interface Month {
  moons: { datetime: string; age_days: number; illuminated: number; waxing: boolean; phase: string }[];
  next: { datetime: string; phase: string }[];
}

describe('the tool for the view of the moon', () => {
  it('returns for several times what moonphase returns for each', async () => {
    const asked = await client();
    const datetimes = ['2026-11-01T12:00', '2026-11-10', '2026-11-20T20:00+01:00', '2026-11-24T14:53'];
    const { moons } = expectStructured(await asked.callTool('moonphases', { datetimes })) as Month;
    for (const [index, datetime] of datetimes.entries()) {
      const single = expectStructured(await asked.callTool('moonphase', { datetime, picture: false }));
      const { illuminated, waxing, ...rest } = moons[index] as Month['moons'][number];
      expect({ ...rest, illumination_percent: Math.round(illuminated * 100) }).toEqual(single);
      expect(waxing).toBe(![/waning/, /last/].some((name) => name.test(rest.phase)));
    }
  });

  it('returns no phases after the last year that dates can be written for', async () => {
    const asked = await client();
    const last = expectStructured(await asked.callTool('moonphases', { datetimes: ['9999-12-20'] })) as Month;
    expect(last.next.map(({ datetime }) => datetime.slice(0, 7))).toEqual(['9999-12', '9999-12']);
    const end = expectStructured(await asked.callTool('moonphases', { datetimes: ['9999-12-31T23:00'] })) as Month;
    expect(end.next).toEqual([]);
  });

  it('returns the next phases, as almanacs do', async () => {
    const { next } = expectStructured(
      await (await client()).callTool('moonphases', { datetimes: ['2026-11-20'] }),
    ) as Month;
    expect(next.slice(0, 4).map(({ datetime, phase }) => `${phase} ${datetime.slice(0, 16)}`)).toEqual([
      'full moon 2026-11-24T14:53',
      'last quarter 2026-12-01T06:08',
      'new moon 2026-12-09T00:51',
      'first quarter 2026-12-17T05:42',
    ]);
    expect(next).toHaveLength(8);
  });

  it('begins with the next phase, also right after one', () => {
    const full = comingPhases(new Date('2026-11-20'), 1)[0]?.date as Date;
    const [next] = comingPhases(new Date(full.getTime() + 60_000), 1);
    expect(next?.phase).toBe('last quarter');
  });

  it('rejects invalid times, and more than two months', async () => {
    const asked = await client();
    expect(expectToolError(await asked.callTool('moonphases', { datetimes: ['soon'] }))).toContain("can't be read");
    const many = Array.from({ length: 63 }, () => '2026-11-20');
    expect(expectToolError(await asked.callTool('moonphases', { datetimes: many }))).toContain('datetimes');
  });

  it('is for views only; without views the server is unchanged (AP-02, AP-03)', async () => {
    const plain = await testClient(moonphaseServer({ logLevel: 'emergency' }));
    expect((await plain.listTools().all()).map(({ name }) => name)).toEqual(['moonphase']);
    expect(await plain.listResources().all()).toEqual([]);
    const { html, result } = await expectView(await client(), 'moonphase', { datetime: '2026-11-20T20:00' });
    expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
    expect(expectText(result)).toBe(
      'Time: 2026-11-20T20:00:00.000Z\nAge: 11.54 days\nIllumination: 82 %\nPhase: waxing gibbous',
    );
  });
});
