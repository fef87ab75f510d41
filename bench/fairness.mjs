// @ts-nocheck: plain JavaScript; the packages are those that were built last.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

// How neighbours fare while one caller sends as much as it can:  node bench/fairness.mjs [seconds]
// The server, the flood and the neighbours are processes of their own. Neighbours send at a fixed pace, and a call's
// time counts from the moment at which it should have been sent.

const neighbours = 4;
const perSecond = 50;
const floodConnections = 200;
const core = process.env.CCMCP_CORE ?? '@ccmcp/core';

const roles = { server, flood, neighbours: pacedNeighbours };
const [role, ...given] = process.argv.slice(2);
if (role in roles) await roles[role](...given);
else await compare(Number(role ?? 10));

async function compare(seconds) {
  for (const work of ['echo', 'work']) {
    const port = await started('server');
    const rounds = { calm: [], flooded: [] };
    for (let round = 0; round < 3; round++) {
      rounds.calm.push(await measured(port.value, work, seconds));
      const flooding = await started('flood', port.value, work);
      rounds.flooded.push(await measured(port.value, work, seconds));
      const counted = once(flooding.child, 'message');
      flooding.child.send('stop');
      console.log(`${work}: the flood got ${Math.round((await counted)[0].value / seconds)} answers per second`);
    }
    port.child.kill();
    const [calm, flooded] = [median(rounds.calm), median(rounds.flooded)];
    console.log(`${work}: alone   p50 ${ms(calm.p50)}, p99 ${ms(calm.p99)}, ${calm.served} of ${calm.sent} served`);
    console.log(
      `${work}: flooded p50 ${ms(flooded.p50)}, p99 ${ms(flooded.p99)}, ${flooded.served} of ${flooded.sent}`,
    );
    const share = (100 * flooded.served) / flooded.sent;
    console.log(`${work}: p99 × ${(flooded.p99 / calm.p99).toFixed(2)}, ${share.toFixed(1)} % served`);
  }
}

async function measured(port, work, seconds) {
  const { child, value } = await started('neighbours', port, work, seconds);
  child.kill();
  return value;
}

/** Starts a process, and gives it with the first thing that it says. */
async function started(name, ...args) {
  const child = fork(fileURLToPath(import.meta.url), [name, ...args]);
  const [{ value }] = await once(child, 'message');
  return { child, value };
}

async function server() {
  const { createServer, tool } = await import(core === '@ccmcp/core' ? core : `${core}/dist/index.js`);
  const { serveHttp, apiKey } = await import(core === '@ccmcp/core' ? '@ccmcp/core/http' : `${core}/dist/http.js`);
  const work = tool('work', {}, () => {
    for (const end = performance.now() + 0.5; performance.now() < end; );
    return 'done';
  });
  const keys = ['flood', ...Array.from({ length: neighbours }, (_, each) => `neighbour-${each}`)];
  const service = await serveHttp(
    createServer({ name: 'fairness', version: '1.0.0', tools: [tool('echo', {}, () => 'hello'), work] }),
    { auth: apiKey({ keys }) },
  );
  process.send({ value: new URL(service.url).port });
}

async function flood(port, work) {
  let answers = 0;
  const request = post(port, work, 'flood');
  const connections = Array.from({ length: floodConnections }, () => open(port));
  for (const connection of await Promise.all(connections)) {
    const again = () => {
      answers += 1;
      connection.send(request, again);
    };
    connection.send(request, again);
  }
  process.send({ value: 'flooding' });
  process.on('message', () => {
    process.send({ value: answers });
    setImmediate(() => process.exit());
  });
}

async function pacedNeighbours(port, work, seconds) {
  const times = [];
  let sent = 0;
  let served = 0;
  const one = async (name) => {
    const request = post(port, work, name);
    const idle = [await open(port), await open(port), await open(port), await open(port)];
    const began = performance.now() + Math.random() * (1000 / perSecond);
    const waiting = [];
    const next = () => {
      while (idle.length > 0 && waiting.length > 0) {
        const [connection, due] = [idle.pop(), waiting.shift()];
        connection.send(request, (ok) => {
          times.push(performance.now() - due);
          if (ok) served += 1;
          idle.push(connection);
          next();
        });
      }
    };
    for (let each = 0; each < seconds * perSecond; each++) {
      const due = began + (each * 1000) / perSecond;
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      sent += 1;
      waiting.push(Math.max(due, performance.now() - 1));
      next();
    }
  };
  await Promise.all(Array.from({ length: neighbours }, (_, each) => one(`neighbour-${each}`)));
  await new Promise((resolve) => setTimeout(resolve, 500));
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  process.send({ value: { sent, served, p50: at(0.5), p99: at(0.99) } });
}

function post(port, name, key) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nX-Api-Key: ${key}`;
  return `${head}\r\nAccept: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A keep-alive connection with one request under way at a time. */
async function open(port) {
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  let onAnswer;
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('data', (text) => {
    received += text;
    const [, head, length] = /^(HTTP[^]*?content-length: (\d+)[^]*?\r\n\r\n)/i.exec(received) ?? [];
    if (head === undefined || received.length < head.length + Number(length)) return;
    const ok = head.startsWith('HTTP/1.1 200');
    received = received.slice(head.length + Number(length));
    onAnswer(ok);
  });
  return {
    send(request, listener) {
      onAnswer = listener;
      socket.write(request, 'latin1');
    },
  };
}

function median(rounds) {
  const middle = (name) => rounds.map((round) => round[name]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
  return { sent: middle('sent'), served: middle('served'), p50: middle('p50'), p99: middle('p99') };
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}
