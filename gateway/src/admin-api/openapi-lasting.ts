import { EnvironmentSchema } from '@tollgate/contracts/environment';
import { DeliveryChange, WebhookEndpointChange } from '@tollgate/contracts/live-changes';
import { PaymentFilters } from '@tollgate/contracts/payment-history';
import Type from 'typebox';
import { errorResponses, headerRef } from '../docs/openapi-parts.ts';
import { AUDIT_EXPORT_QUERY } from './audit-export.ts';
import { accessText, parameters, SESSION_ERRORS } from './openapi-route.ts';
import { PAYMENT_COLUMNS } from './payment-columns.ts';

/** `GET /admin/v1/payments.csv` */
export function describeExport(docsBaseUrl: string): object {
  return {
    operationId: 'exportPayments',
    summary: 'Export payments as CSV, newest first, whole',
    description: `${accessText('viewer')} The columns are ${PAYMENT_COLUMNS.map((name) => `\`${name}\``).join(', ')}; new ones are added at the end. \
\`amount\` is in the major unit of the currency, \`amount_minor\` an integer of minor units. What a spreadsheet would take for a formula in a text \
has a \`'\` before it. When something goes wrong on the way the connection is cut: a file that arrived whole is whole.`,
    tags: ['payments'],
    parameters: parameters('query', PaymentFilters),
    responses: {
      200: {
        description: 'The file, RFC 4180, UTF-8.',
        headers: {
          'X-Request-Id': headerRef('RequestId'),
          'Content-Disposition': { description: 'Names the file.', schema: { type: 'string' } },
        },
        content: { 'text/csv': { schema: { type: 'string' } } },
      },
      ...errorResponses([...SESSION_ERRORS, 'rate-limited'], docsBaseUrl),
    },
  };
}

/** `GET /admin/v1/audit-records/export` */
export function describeAuditExport(docsBaseUrl: string): object {
  return {
    operationId: 'exportAuditRecords',
    summary: 'Export audit records of a period with all that proves them, as NDJSON',
    description: `${accessText('admin')} The period is widened to the signed heads around it. The file is checked with the public key alone: \
\`tollgate verify-audit\`. That it is asked for is itself recorded, before anything is answered. When something goes wrong on the way the connection is cut: a \
file without its last line, of type \`end\`, is not whole.`,
    tags: ['audit'],
    parameters: parameters('query', AUDIT_EXPORT_QUERY),
    responses: {
      200: {
        description: 'The lines of the export, each an object in RFC 8785 form.',
        headers: {
          'X-Request-Id': headerRef('RequestId'),
          'Content-Disposition': { description: 'Names the file.', schema: { type: 'string' } },
        },
        content: { 'application/x-ndjson': { schema: { type: 'string' } } },
      },
      ...errorResponses([...SESSION_ERRORS, 'conflict', 'rate-limited'], docsBaseUrl),
    },
  };
}

/** `GET /admin/v1/stream` */
export function describeStream(docsBaseUrl: string): object {
  return {
    operationId: 'streamChanges',
    summary:
      'Follow payments, deliveries and webhook endpoints of the team as they change, as server-sent events',
    description: `${accessText('viewer')} A hint that something changed, and no record: nothing is kept or replayed, an event may come twice, and those of \
a moment without a connection are missed. The first event is \`hello\`; when it comes again, events may have passed unseen, so read again what you show. \
Those of payments are named by their type, such as \`payment.succeeded\`, with \`{id, type, occurred_at, environment, application_id, payment}\` as data: the payment \
as it was then, without \`metadata\`. \`delivery\` says that one was owed, attempted or decided on: ${fieldsOf(DeliveryChange)}. \
\`webhook_endpoint\` says that one looks different, or that many of its deliveries changed at once: ${fieldsOf(WebhookEndpointChange)}. The stream ends with the session.`,
    tags: ['payments', 'webhooks'],
    parameters: parameters('query', { environment: Type.Optional(EnvironmentSchema) }),
    responses: {
      200: {
        description: 'The stream, open until one side ends it.',
        headers: { 'X-Request-Id': headerRef('RequestId') },
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...errorResponses([...SESSION_ERRORS, 'rate-limited'], docsBaseUrl),
    },
  };
}

/** All of a change but whose it is, which its readers know. */
function fieldsOf({ properties }: Type.TObject): string {
  const names = Object.keys(properties).filter((name) => name !== 'team_id');
  return `\`{${names.join(', ')}}\``;
}
