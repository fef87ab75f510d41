import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, percentiles, takeTurns } from '../bench.ts';
import { sendPaced } from '../clients/http.ts';
import { loadByWrk, wrkVersion } from '../clients/load.ts';
import { withHttpServers } from '../http-server.ts';
import { ours, variant } from '../subjects.ts';

const callers = ['one', 'two', 'three', 'four'];
const perSecond = 50;
const floodConnections = 200;

/** Callers at a steady pace, alone and while another one floods the server: latency, and the share of calls served. */
export async function measureFairness(bench: Bench): Promise<void> {
  const { folder, settings, samples, say } = bench;
  if ((await wrkVersion()) === undefined) return say('        no wrk on the PATH: skipped');
  const seconds = 2 * settings.loadSeconds;
  for (const [measure, ...features] of [['fairness'], ['fairness, busy', 'busy']] as const) {
    const taking = [variant(ours, `keys=flood,${callers.join(',')}`, ...features)];
    await withHttpServers(bench, taking, { connections: 1 }, async ([server]) => {
      if (server === undefined) return;
      const { port, requests } = server;
      const withKey = (key: string): string[] =>
        requests.map((request) => request.replace('\r\n', `\r\nX-Api-Key: ${key}\r\n`));
      const flooding = { requests: withKey('flood'), connections: floodConnections, seconds: seconds + 1 };
      await takeTurns(settings.rounds, ['alone', 'flooded'], async (subject, round) => {
        const flood = subject === 'flooded' ? loadByWrk(folder, port, flooding).catch(ignoreTimeouts) : undefined;
        await wait(500);
        const pace = { perSecond, seconds };
        const turns = await Promise.all(callers.map((key) => sendPaced(port, withKey(key).join(''), pace)));
        await flood;
        const latencies = turns.flatMap((turn) => turn.latencies);
        const served = turns.reduce((sum, turn) => sum + turn.served, 0) / (callers.length * perSecond * seconds);
        samples.add({ measure, subject, round, values: { ...percentiles(latencies), served: 100 * served } });
      });
    });
  }
}

/** The flood has to wait for the others, and some of its requests time out. */
function ignoreTimeouts(error: Error): void {
  if (!error.message.startsWith('0 wrong answers')) throw error;
}
