// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createInterface } from 'node:readline';
import { makeAnswer } from './answer.mjs';

// A server with a given number of tools that sends many messages of its own: a call of `echo` with a message such as
// "5000 at 1000" is answered at once and followed by that many messages at that rate per second: questions (`ping`),
// their answers, and notifications.
const answer = makeAnswer(Number(process.argv[2] ?? 2));
const words = 'a message that a server sends while somebody looks at the timeline and scrolls'.split(' ');
let said = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id === undefined || message.method === undefined) continue;
  process.stdout.write(`${answer(message)}\n`);
  const [, count, rate] = /^(\d+) at (\d+)$/.exec(message.params?.arguments?.message ?? '') ?? [];
  if (count !== undefined) flood(Number(count), Number(rate));
}

function flood(count, rate) {
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * rate));
    let text = '';
    // A question and its answer count as two.
    for (; sent < due; sent += said % 3 === 0 ? 2 : 1) text += `${JSON.stringify(next())}\n`;
    if (text !== '') process.stdout.write(text);
    if (sent >= count) clearInterval(timer);
  }, 5);
}

function next() {
  said++;
  if (said % 3 === 0) return { jsonrpc: '2.0', id: `q${said}`, method: 'ping' };
  const data = words.slice(0, 1 + (said % words.length)).join(' ');
  return { jsonrpc: '2.0', method: `notifications/bench_${said % 7}`, params: { number: said, data } };
}
