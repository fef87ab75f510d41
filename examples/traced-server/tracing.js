// Sets up OpenTelemetry, as a program does before anything else is loaded: node --import ./tracing.js server.js
// Here spans are written to stderr. A collector is reached in the same way, by an exporter such as
// @opentelemetry/exporter-trace-otlp-http in place of this one.
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  ExportResultCode,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** @type {import('@opentelemetry/sdk-trace-base').SpanExporter} */
const stderrExporter = {
  export(spans, done) {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext();
      const parent = span.parentSpanContext?.spanId;
      process.stderr.write(`${JSON.stringify({ name: span.name, traceId, spanId, parent, ...span.attributes })}\n`);
    }
    done({ code: ExportResultCode.SUCCESS });
  },
  async shutdown() {},
};

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(
  new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
);
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(stderrExporter)] }));
