import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { StartSpan } from './span.ts';
import { parseTraceContext, type TraceContext, traceHeaders } from './trace-context.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** A process that is killed loses at most the spans of this time. */
const EXPORT_INTERVAL_MS = 1_000;
/** How long the export of one batch may take, with its retries. A stop waits this long if the collector is down. */
const EXPORT_DEADLINE_MS = 3_000;

const propagator = new W3CTraceContextPropagator();

/** Records spans with the SDK of OpenTelemetry, and sends them in batches as OTLP over HTTP. Only `startTracing` imports this file. */
export function createOtlpRecorder(options: {
  version: string;
  endpoint: string;
  sampledShare: number;
  onError: (error: unknown) => void;
}): { startSpan: StartSpan; stop(): Promise<void> } {
  const { version, endpoint, sampledShare, onError } = options;
  setGlobalErrorHandler(onError);
  // Shared, so that a process sends one batch, whatever it runs.
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_DEADLINE_MS }),
    scheduledDelayMillis: EXPORT_INTERVAL_MS,
  });
  const tracers = new Map<string, Tracer>();

  /** OpenTelemetry's name of a service is a property of the tracer, so that each component has its own. */
  function tracerOf(component: string): Tracer {
    const known = tracers.get(component);
    if (known !== undefined) return known;
    const provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.namespace': 'tollgate',
        'service.name': component,
        'service.version': version,
      }).merge(detectResources({ detectors: [envDetector] })),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
      spanProcessors: [processor],
    });
    const tracer = provider.getTracer('tollgate', version);
    tracers.set(component, tracer);
    return tracer;
  }

  return {
    startSpan({ component, name, kind, parent, attributes = {} }) {
      const span = tracerOf(component).startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
      return {
        trace: traceOf(trace.setSpan(ROOT_CONTEXT, span)),
        end({ attributes: more = {}, error } = {}) {
          span.setAttributes(more);
          if (error !== undefined) {
            // Never the message of an error: those of drivers contain addresses, passwords, and values of documents.
            const message = error instanceof Error ? error.name : String(error);
            span.setStatus({ code: SpanStatusCode.ERROR, message });
          }
          span.end();
        },
      };
    },
    stop: () => processor.shutdown().catch(onError),
  };
}

function contextOf(parent: TraceContext | null): Context {
  return propagator.extract(ROOT_CONTEXT, traceHeaders(parent), defaultTextMapGetter);
}

function traceOf(context: Context): TraceContext | null {
  const carrier: Record<string, string> = {};
  propagator.inject(context, carrier, defaultTextMapSetter);
  return parseTraceContext(carrier['traceparent'], carrier['tracestate']);
}
