import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { parseKeyring } from '@tollgate/security/keyring';
import { createSignatureVerifier } from '@tollgate/security/signature';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { type AdminAppDeps, buildAdminApp } from '../../src/admin-api/app.ts';
import { createTeamStreams } from '../../src/admin-api/team-streams.ts';
import { createPrincipals } from '../../src/authentication/principals.ts';
import { createPaymentsPool } from '../../src/payments-instances/payments-pool.ts';
import { buildPublicApp, type PublicAppDeps } from '../../src/public-api/app.ts';
import { createGatewayMetrics } from '../../src/request/gateway-metrics.ts';

export const DOCS_BASE_URL = 'https://api.example.com/docs';
export const BASE_URLS = { live: 'https://api.example.com', sandbox: 'https://sandbox.example.com' };
const ADMIN_API_URL = 'https://admin.example.com';

const LIMIT = { requests_per_second: 1_000, burst: 10_000 };

const clock = createFakeClock();
const logger = createLogger({ service: 'test', level: 'silent' });

/** The public API without NATS and payments: enough for the docs, and for the errors of requests without a key. */
export function buildUnconnectedPublicApp(more: Partial<Pick<PublicAppDeps, 'operations' | 'site'>> = {}) {
  const keys = parseKeyring(`1:${Buffer.alloc(32, 1).toString('base64')}`);
  return buildPublicApp({
    environment: 'sandbox',
    docsBaseUrl: DOCS_BASE_URL,
    baseUrls: BASE_URLS,
    site: { find: async () => null },
    trustedProxies: [],
    principals: createPrincipals({
      verifier: createSignatureVerifier(() => undefined),
      countUnverified: () => undefined,
      clock,
      logger,
      maxStalenessMs: 1,
      lastConfirmedAt: () => null,
    }),
    paymentsPool: createPaymentsPool({ clock, logger }),
    isReady: () => true,
    peppers: keys,
    signingKeys: keys,
    secretScanningKeys: new Map(),
    bus: () => undefined,
    metrics: createGatewayMetrics(createMetrics('test'), () => 0),
    logger,
    clock,
    usage: { countResponses() {}, countAborted() {} },
    ...more,
  });
}

/** The admin API without NATS. */
export function buildUnconnectedAdminApp(more: Pick<AdminAppDeps, 'routes'> = {}) {
  return buildAdminApp({
    docsBaseUrl: DOCS_BASE_URL,
    adminApiUrl: ADMIN_API_URL,
    adminTrustedProxies: [],
    isReady: () => true,
    adminMemberRateLimit: LIMIT,
    adminTeamRateLimit: LIMIT,
    adminAddressRateLimit: LIMIT,
    bus: () => undefined,
    teamStreams: createTeamStreams({ logger }),
    metrics: createGatewayMetrics(createMetrics('test'), () => 0),
    logger,
    clock,
    ...more,
  });
}
