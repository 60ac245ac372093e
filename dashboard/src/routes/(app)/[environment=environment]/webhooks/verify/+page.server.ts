import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows } from '#lib/server/access.ts';
import { type Form, readForm, submitForm } from '#lib/server/form.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { listEndpointUrls } from '#lib/server/webhooks/read-endpoints.ts';
import { RAW_BODY_SNIPPETS, VERIFY_SNIPPETS } from '#lib/server/webhooks/verify-snippets.ts';
import { type PastedRequest, parsePastedRequest } from '#lib/webhooks/parse-pasted-request.ts';
import type { SignatureReport } from '#lib/webhooks/verify/signature-report.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { environment }, url, parent }) => {
  const endpoints = await pagePart('webhooks', listEndpointUrls(locals.admin, environment));
  const { me } = await parent();
  return {
    endpoints,
    /** Set by links from a delivery or an endpoint. */
    endpointId: url.searchParams.get('endpoint') ?? '',
    mayCheck: allows(ADMIN_ROUTES.checkSignature, me.role, environment),
    snippets: VERIFY_SNIPPETS,
    rawBodySnippets: RAW_BODY_SNIPPETS,
  };
};

/** When all parts come from one field, errors belong to that field. */
const OF_PASTED = Object.fromEntries(
  ['webhook_id', 'webhook_timestamp', 'webhook_signature', 'body'].map((part) => [`/${part}`, 'pasted']),
);

export const actions = {
  default: async ({ locals, request }) => {
    const form = await readForm(request);
    const endpoint_id = form.required('endpoint_id', 'Select the endpoint that received the request.');
    const received = readReceived(form);
    const check = async () => {
      const [verdict, endpoint] = await Promise.all([
        locals.admin.call(ADMIN_ROUTES.checkSignature, {
          endpoint_id,
          webhook_id: received.id,
          webhook_timestamp: received.timestamp,
          webhook_signature: received.signature,
          body: received.body,
        }),
        locals.admin.call(ADMIN_ROUTES.getEndpoint, { endpoint_id }),
      ]);
      const { body, ...parts } = received;
      const report: SignatureReport = {
        ...parts,
        verdict,
        endpointUrl: endpoint.url,
        bodyBytes: Buffer.byteLength(body),
      };
      return { report, values: form.values, errors: {} };
    };
    return submitForm(form, check, form.text('pasted') === '' ? {} : OF_PASTED);
  },
} satisfies Actions;

/** Reads the pasted request, or the separate fields when nothing was pasted. Rejects the form when there is nothing to verify. */
function readReceived(form: Form): PastedRequest {
  const pasted = form.text('pasted');
  const received =
    pasted === ''
      ? {
          id: form.text('webhook_id'),
          timestamp: form.text('webhook_timestamp'),
          signature: form.text('webhook_signature'),
          // Browsers submit every line break as CRLF.
          body: (form.all('body')[0] ?? '').replaceAll('\r\n', '\n'),
          isLineBreakDropped: false,
        }
      : parsePastedRequest(form.all('pasted')[0] ?? '');
  const { id, timestamp, signature, body } = received;
  if ([id, timestamp, signature, body].every((part) => part === '')) {
    form.reject(
      'pasted',
      'No webhook headers or body found. Paste the headers, an empty line, and the raw body.',
    );
  }
  return received;
}
