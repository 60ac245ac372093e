import { PaymentsExportQuery } from '@tollgate/contracts/payments/payments-export';
import { EnvironmentSchema } from '@tollgate/contracts/platform/schema';
import { UsageQuery } from '@tollgate/contracts/usage/rpc';
import { USAGE_GROUPS } from '@tollgate/contracts/usage/usage';
import { DeliveryChange, WebhookEndpointChange } from '@tollgate/contracts/webhooks/live-changes';
import Type from 'typebox';
import { errorResponses } from '../docs/openapi-errors.ts';
import { headerRef, RATE_LIMIT_HEADERS } from '../docs/openapi-headers.ts';
import type { DocumentSchemas } from '../docs/openapi-schemas.ts';
import { AUDIT_EXPORT_QUERY } from './audit-export.ts';
import type { CsvColumns } from './csv.ts';
import { accessText, parameters, SESSION_ERRORS } from './openapi-route.ts';
import { paymentColumns } from './payment-columns.ts';
import { usageColumns } from './usage-columns.ts';

/** True of every CSV file. */
const CSV_TEXT = `A text that a spreadsheet would read as a formula is prefixed \
with \`'\`. If the export fails, the connection is aborted: a response that ends normally is complete.`;

/** `GET /admin/v1/payments.csv` */
export function describePaymentsExport(schemas: DocumentSchemas): object {
  return {
    operationId: 'exportPayments',
    summary: 'Export payments as CSV',
    description: `${accessText('viewer')} Exports all matching payments, newest first; those that succeeded in a period in the order in which they did. The columns are ${namesOf(paymentColumns(new Map(), 'UTC'))}; new ones are added at the end. \
\`amount\` is in the major unit of the currency, \`amount_minor\` an integer in minor units. ${CSV_TEXT}`,
    tags: ['payments'],
    parameters: parameters('query', PaymentsExportQuery, schemas),
    responses: {
      200: fileResponse('The CSV file (RFC 4180, UTF-8 with a byte order mark).', 'text/csv'),
      ...errorResponses([...SESSION_ERRORS, 'query-timeout'], () => RATE_LIMIT_HEADERS),
    },
  };
}

/** `GET /admin/v1/usage.csv` */
export function describeUsageExport(schemas: DocumentSchemas): object {
  return {
    operationId: 'exportUsage',
    summary: 'Export requests, outcomes, and latencies over time as CSV',
    description: `${accessText('viewer')} Exports usage, oldest first: one row for each group in each minute, hour, or day with requests. The columns are \
${namesOf(usageColumns(USAGE_GROUPS.join(',')))}; new ones are added at the end. A dimension has a column only if \`group_by\` names it. \
${CSV_TEXT}`,
    tags: ['usage'],
    parameters: parameters('query', UsageQuery, schemas),
    responses: {
      200: fileResponse('The CSV file (RFC 4180, UTF-8 with a byte order mark).', 'text/csv'),
      ...errorResponses([...SESSION_ERRORS, 'query-timeout'], () => RATE_LIMIT_HEADERS),
    },
  };
}

/** `GET /admin/v1/audit-records/export` */
export function describeAuditExport(schemas: DocumentSchemas): object {
  return {
    operationId: 'exportAuditRecords',
    summary: 'Export audit records with their proofs as NDJSON',
    description: `${accessText({ toRead: 'admin' })} The period is extended to the signed tree heads around it. To verify the file with the public key alone, run \
\`tollgate verify-audit\`. The export itself is recorded before the response starts. If the export fails, the connection is aborted: a \
file without its last line, of type \`end\`, is incomplete.`,
    tags: ['audit'],
    parameters: parameters('query', AUDIT_EXPORT_QUERY, schemas),
    responses: {
      200: fileResponse(
        'The lines of the export, each a JSON object in RFC 8785 form.',
        'application/x-ndjson',
      ),
      ...errorResponses([...SESSION_ERRORS, 'conflict'], () => RATE_LIMIT_HEADERS),
    },
  };
}

function fileResponse(description: string, mediaType: string): object {
  return {
    description,
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...RATE_LIMIT_HEADERS,
      'Content-Disposition': headerRef('ContentDisposition'),
    },
    content: { [mediaType]: { schema: { type: 'string' } } },
  };
}

/** `GET /admin/v1/stream` */
export function describeStream(schemas: DocumentSchemas): object {
  return {
    operationId: 'streamChanges',
    summary: 'Stream changes of payments, deliveries, and webhook endpoints as server-sent events',
    description: `${accessText('viewer')} Events are hints that something changed, not records: nothing is stored or replayed, an event may arrive twice, and \
events are missed while the connection is down. The first event is \`hello\`, and \`heartbeat\` follows each second. When \`hello\` arrives again, events may have been missed, so reload what you show. \
Payment events are named by their type, such as \`payment.succeeded\`, with \`{id, type, occurred_at, environment, application_id, payment}\` as data: the payment \
at that time, without \`metadata\`. \`delivery\` reports a delivery that was created, attempted, or changed by a member or an API token: ${fieldsOf(DeliveryChange)}. \
\`webhook_endpoint\` reports a changed endpoint, or many changed deliveries at once: ${fieldsOf(WebhookEndpointChange)}. The stream ends when the session ends, or when the API token expires or is revoked.`,
    tags: ['payments', 'webhooks'],
    parameters: parameters('query', { environment: Type.Optional(EnvironmentSchema) }, schemas),
    responses: {
      200: {
        description: 'The stream, open until either side closes it.',
        headers: { 'X-Request-Id': headerRef('RequestId'), ...RATE_LIMIT_HEADERS },
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...errorResponses(SESSION_ERRORS, () => RATE_LIMIT_HEADERS),
    },
  };
}

function namesOf(columns: CsvColumns<never>): string {
  return Object.keys(columns)
    .map((name) => `\`${name}\``)
    .join(', ');
}

/** All fields of a change except its owner, which the reader knows. */
function fieldsOf({ properties }: Type.TObject): string {
  const names = Object.keys(properties).filter((name) => name !== 'team_id');
  return `\`{${names.join(', ')}}\``;
}
