// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

// Does what `clients/wrk.lua` does, where there is no wrk:  node autocannon.mjs URL FILE CONNECTIONS SECONDS

const [, , url, file, connections, seconds] = process.argv;
const placeholder = /10000000/g;
const requests = readFileSync(file, 'latin1').split('\f').map(parse);
let id = 10_000_000;
let count = 0;
let wrong = 0;
let example = '';

/** Made before they are sent: autocannon takes longer to make a request than a server to answer it. */
const perConnection = 100;

const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  // Each connection has requests of its own, so that no id is under way twice.
  setupClient: (client) => client.setRequests(Array.from({ length: perConnection }, next)),
});

function next() {
  const { headers, body } = requests[count++ % requests.length];
  const own = ++id;
  return {
    method: 'POST',
    headers,
    body: body.replace(placeholder, String(own)),
    onResponse(status, answer) {
      if (status === 200 && answer.includes(`"id":${own}`) && answer.includes(`hello ${own}"`)) return;
      wrong++;
      example = `${status} ${answer.slice(0, 300)}`;
    },
  };
}

const { requests: made, latency, throughput, duration, errors, timeouts } = result;
const us = Math.round(duration * 1e6);
// It counts milliseconds only.
const [p50, p99] = [latency.p50 * 1000, latency.p99 * 1000];
console.log(
  `RESULT requests=${made.total} us=${us} bytes=${throughput.total} p50=${p50} p99=${p99} wrong=${wrong} errors=${errors + timeouts}`,
);
if (wrong > 0) console.log(`WRONG ${example}`);

function parse(text) {
  const [head, body] = text.split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2)));
  // It sets these itself.
  delete headers.Host;
  delete headers['Content-Length'];
  return { headers, body };
}
