import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as the exporter sends it (OTLP 1.x, JSON). */
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface SentSpans {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
}

/** `SpanKind` of OTLP. */
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

export interface ReceivedSpan {
  service: string;
  name: string;
  kind: string;
  traceId: string;
  spanId: string;
  /** Empty for a span without a parent. */
  parentId: string;
  hasFailed: boolean;
}

export interface OtlpReceiver {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  spans: ReceivedSpan[];
  close(): Promise<void>;
}

/** Starts the part of an OpenTelemetry collector that receives traces over HTTP. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json') {
      response.writeHead(404).end();
      return;
    }
    const { resourceSpans } = (await json(request)) as SentSpans;
    for (const { resource, scopeSpans } of resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === 'service.name');
      const service = name?.value.stringValue ?? '';
      spans.push(...scopeSpans.flatMap((scope) => scope.spans).map((span) => received(service, span)));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function received(
  service: string,
  { name, kind, traceId, spanId, parentSpanId, status }: SentSpan,
): ReceivedSpan {
  return {
    service,
    name,
    kind: KINDS[kind] ?? 'unknown',
    traceId,
    spanId,
    parentId: parentSpanId ?? '',
    hasFailed: status.code === 2,
  };
}
