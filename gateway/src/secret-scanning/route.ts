import { SECRET_SCANNING_PATH } from '@tollgate/contracts/applications/secret-scanning';
import { BODY_LIMITS } from '@tollgate/contracts/platform/body-limits';
import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyInstance } from 'fastify';
import { createLimitByAddress } from '../rate-limit/limit-by-address.ts';
import { rejectQuery, requireAccepted, requireJsonBody } from '../request/content-rules.ts';
import { parseAlerts } from './parse-alerts.ts';
import type { SecretScanningKeys } from './public-keys.ts';
import type { ReportLeaks } from './report-leaks.ts';
import { readSignature, verifySignature } from './verify-signature.ts';

/**
 * Serves the endpoint that a secret scanner calls when it finds credentials in public. It is the only operation without
 * an API key: the scanner signs the body.
 */
export function registerSecretScanning(
  app: FastifyInstance,
  { keys, reportLeaks, clock }: { keys: SecretScanningKeys; reportLeaks: ReportLeaks; clock: Clock },
): void {
  const limitByAddress = createLimitByAddress(clock);
  app.post(SECRET_SCANNING_PATH, {
    config: { operation: 'report_leaked_credentials' },
    bodyLimit: BODY_LIMITS.secretScanning,
    onRequest: async (request) => {
      limitByAddress(request);
      readSignature(keys, request.headers);
      rejectQuery(request.raw.url ?? '');
      requireAccepted(request.raw, 'application/json');
    },
    handler: async (request) => {
      requireJsonBody(request);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      verifySignature(keys, readSignature(keys, request.headers), body);
      return reportLeaks(parseAlerts(body), { requestId: request.id });
    },
  });
}
