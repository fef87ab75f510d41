// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createServer, tool } from '@ccmcp/core';
import { resultBudget } from '@ccmcp/core/result-budget';
import { toolSearch } from '@ccmcp/core/tool-search';

// Calls tools with and without middleware, in turns, in one process without sockets, and writes the microseconds of CPU time of
// each round as JSON:  node middleware.mjs ROUNDS

const [rounds] = process.argv.slice(2);
const callsPerTurn = 3000;
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const input = { type: 'object', properties: { from: { type: 'integer' } }, required: ['from'] };
const orders = Array.from({ length: 40 }, (_, id) => ({ id, name: `Order ${id}`, price: id * 1.5 }));
const list = tool('list', { input }, () => JSON.stringify(orders));
const others = Array.from({ length: 60 }, (_, index) => tool(`other_${index}`, {}, () => ''));
const create = (...more) => createServer({ name: 'bench', version: '1.0.0', tools: [list, ...more] });

const call = { name: 'list', arguments: { from: 0 } };
const searched = create(...others).use(toolSearch());
const subjects = {
  plain: { server: create(), params: call },
  budget: { server: create().use(resultBudget()), params: call },
  direct: { server: searched, params: call },
  callTool: { server: searched, params: { name: 'call_tool', arguments: call } },
};
const order = Object.keys(subjects);

for (const name of [...order, ...order, ...order]) await ask(subjects[name], callsPerTurn);

const turns = [];
for (let round = 0; round < Number(rounds); round++) {
  const turn = {};
  for (const name of round % 2 === 0 ? order : order.toReversed()) {
    const before = process.cpuUsage();
    await ask(subjects[name], callsPerTurn);
    const { user, system } = process.cpuUsage(before);
    turn[name] = (user + system) / callsPerTurn;
  }
  turns.push(turn);
}
console.log(JSON.stringify(turns));

/** Processes the text of a request to the text of its response, like a transport. */
async function ask({ server, params }, times) {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } });
  for (let each = 0; each < times; each++) {
    const answer = await server.handle(JSON.parse(text), { running: new Map(), send() {} });
    if (JSON.stringify(answer).length < 100) throw new Error('The call failed');
  }
}
