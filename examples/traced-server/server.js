// A server whose requests are traced, with a span of its own in each. Run it with: node examples/traced-server/server.js
// oxlint-disable-next-line import/no-unassigned-import -- what it registers is there for all that follows
import './tracing.js';
import { createServer, tool } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';
import { telemetry } from '@ccmcp/core/telemetry';
import { trace } from '@opentelemetry/api';

const tracer = trace.getTracer('forecasts');

const forecast = tool(
  'forecast',
  {
    description: 'Tell what the weather will be like',
    input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  ({ city }) =>
    tracer.startActiveSpan('look at the sky', (span) => {
      span.end();
      return `In ${city} it will be fine`;
    }),
);

const server = createServer({ name: 'forecasts', version: '1.0.0', tools: [forecast] });
server.observe(telemetry());
serveStdio(server);
