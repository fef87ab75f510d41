// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { makeAnswer } from './answer.mjs';

const answer = makeAnswer(Number(process.argv[2] ?? 2));
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
    if (message.id !== undefined) answers += `${answer(message)}\n`;
  }
  if (answers !== '') process.stdout.write(answers);
});
