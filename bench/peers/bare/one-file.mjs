// @ts-nocheck: plain JavaScript, a copy of `stdio.mjs` in one file, for the start-up and first calls.

let chunks = [];

process.stdin.on('data', (chunk) => {
  chunks.push(chunk);
  if (!chunk.includes(10)) return;
  const lines = (chunks.length === 1 ? chunk : Buffer.concat(chunks)).toString().split('\n');
  const rest = lines.pop();
  chunks = rest === '' ? [] : [Buffer.from(rest)];
  let answers = '';
  for (const line of lines) {
    const message = JSON.parse(line);
    if (message.id === undefined) continue;
    answers += `${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })}\n`;
  }
  if (answers !== '') process.stdout.write(answers);
});

function resultOf({ method, params }) {
  if (method === 'tools/call') return { content: [{ type: 'text', text: params.arguments.message }] };
  return {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'bare', version: '1.0.0' },
  };
}
