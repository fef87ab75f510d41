// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createServer, tool } from '@ccmcp/core';
import { tasks } from '@ccmcp/core/tasks';

// Calls a plain tool of a server that has tasks and of one that has not, in turns, in one process without sockets, and writes the
// microseconds of CPU time of each round as JSON:  node beside.mjs ROUNDS tasks|plain, which is made and called first.

const [rounds, first] = process.argv.slice(2);
const callsPerTurn = 5000;
const M = 'io.modelcontextprotocol/';
const _meta = {
  [`${M}protocolVersion`]: '2026-07-28',
  [`${M}clientCapabilities`]: { extensions: { [`${M}tasks`]: {} } },
};
const input = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
const echo = tool('echo', { input }, ({ message }) => message);
const work = tool('work', { input, task: 'optional' }, ({ message }) => message);
const made = {
  tasks: () => createServer({ name: 'bench', version: '1.0.0', extensions: [tasks()], tools: [echo, work] }),
  plain: () => createServer({ name: 'bench', version: '1.0.0', tools: [echo] }),
};
const order = first === 'tasks' ? ['tasks', 'plain'] : ['plain', 'tasks'];
const servers = Object.fromEntries(order.map((name) => [name, made[name]()]));

for (const name of [...order, ...order]) await call(servers[name], 2 * callsPerTurn);
// Runs some tasks first, so that their code is in use.
for (let id = 0; id < 200; id++) {
  const { result } = await ask(servers.tasks, 'tools/call', { name: 'work', arguments: { message: 'Hello' } }, id);
  await ask(servers.tasks, 'tasks/get', { taskId: result.taskId }, id);
}
for (const name of order) await call(servers[name], 2 * callsPerTurn);

const turns = [];
for (let round = 0; round < Number(rounds); round++) {
  const turn = {};
  for (const name of round % 2 === 0 ? order : order.toReversed()) {
    const before = process.cpuUsage();
    await call(servers[name], callsPerTurn);
    const { user, system } = process.cpuUsage(before);
    turn[name] = (user + system) / callsPerTurn;
  }
  turns.push(turn);
}
console.log(JSON.stringify(turns));

async function call(server, times) {
  for (let id = 0; id < times; id++)
    await ask(server, 'tools/call', { name: 'echo', arguments: { message: 'Hello' } }, id);
}

async function ask(server, method, params, id) {
  return server.handle({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }, { running: new Map(), send() {} });
}
