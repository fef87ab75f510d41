// Starts the server and calls it, in one trace with it. Run it with: node examples/traced-server/client.js
// oxlint-disable-next-line import/no-unassigned-import -- what it registers is there for all that follows
import './tracing.js';
import { fileURLToPath } from 'node:url';
import { connect, spawn } from '@ccmcp/core/client';
import { clientTelemetry } from '@ccmcp/core/telemetry';
import { trace } from '@opentelemetry/api';

const server = fileURLToPath(new URL('server.js', import.meta.url));
const client = await connect(spawn(process.execPath, [server], { stderr: 'inherit' }), {
  observers: [clientTelemetry()],
});
await trace.getTracer('trip').startActiveSpan('plan a trip', async (span) => {
  const { content } = await client.callTool('forecast', { city: 'Lisbon' });
  for (const block of content) if (block.type === 'text') process.stdout.write(`${block.text}\n`);
  span.end();
});
await client.close();
