import type { Bus } from '@tollgate/bus/connection';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import {
  ADMIN_ROUTES,
  PAYMENTS_CSV_PATH,
  STREAM_PATH,
  USAGE_CSV_PATH,
} from '@tollgate/contracts/admin-api/routes';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { FastifyInstance } from 'fastify';
import { ADMIN_REDIRECTED_PATHS } from '../docs/paths.ts';
import { redirectToDocs } from '../docs/redirect-to-docs.ts';
import { createAccessLog } from '../request/access-log.ts';
import type { GatewayMetrics } from '../request/gateway-metrics.ts';
import { buildHttpShell } from '../request/http-shell.ts';
import { createCallService } from '../rpc/call-service.ts';
import { type AdminRateLimits, createAdmission } from './admission.ts';
import { registerAuditExport } from './audit-export.ts';
import { createExportFiles } from './export-files.ts';
import { registerPaymentsCsv } from './payments-csv.ts';
import { type AdminRoutes, methodsOf, registerAdminRoutes } from './routes.ts';
import { ADMIN_OPENAPI_PATH, registerOpenapi } from './serve-openapi.ts';
import { createOpenSession } from './session.ts';
import { registerStream } from './stream.ts';
import type { TeamStreams } from './team-streams.ts';
import { registerUsageCsv } from './usage-csv.ts';

/** Path and query together. Filters hold free text, and percent-encoding can turn one character into twelve. */
const MAX_TARGET_LENGTH = 8 * 1024;

/**
 * Browsers must not run, frame, or embed a response of this API. There are no CORS headers, so pages of another origin
 * can neither read a response nor send JSON.
 */
const SECURITY_HEADERS = {
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

const knownPaths = (routes: AdminRoutes) => [
  ...Object.values(routes).map((route) => ({ path: route.path, methods: methodsOf(route) })),
  ...[
    PAYMENTS_CSV_PATH,
    USAGE_CSV_PATH,
    AUDIT_EXPORT_PATH,
    STREAM_PATH,
    ADMIN_OPENAPI_PATH,
    ...ADMIN_REDIRECTED_PATHS,
  ].map((path) => ({
    path,
    methods: ['GET', 'HEAD'],
  })),
];

export interface AdminAppDeps extends AdminRateLimits {
  /** Without a trailing slash. `/errors/<code>` is appended. */
  docsBaseUrl: string;
  /** Published address of this API, without a trailing slash. */
  adminApiUrl: string;
  /** CIDRs of the dashboard's servers, whose X-Forwarded-For gives the member's address. */
  adminTrustedProxies: readonly string[];
  /** Undefined until the first connection to NATS. */
  bus: () => Bus | undefined;
  teamStreams: TeamStreams;
  /** What balancers get. */
  isReady: () => boolean;
  metrics: GatewayMetrics;
  logger: Logger;
  clock: Clock;
  timings?: AdminTimings;
  routes?: AdminRoutes;
}

/** Tests shorten these. */
export interface AdminTimings {
  heartbeatIntervalMs?: number;
  /** Between session checks of a stream. */
  sessionCheckIntervalMs?: number;
  /** How long an export waits for a client that reads nothing. */
  readerPatienceMs?: number;
}

/** The admin API maps HTTP to the services' RPC. The services authorize each call. */
export function buildAdminApp(deps: AdminAppDeps): FastifyInstance {
  const { docsBaseUrl, adminApiUrl, metrics, logger, routes = ADMIN_ROUTES } = deps;
  const accessLog = createAccessLog({ listener: 'admin', metrics, clock: deps.clock, logger });
  const app = buildHttpShell({
    docsBaseUrl,
    trustedProxies: deps.adminTrustedProxies,
    knownPaths: knownPaths(routes),
    maxTargetLength: MAX_TARGET_LENGTH,
    isReady: deps.isReady,
    headers: SECURITY_HEADERS,
    accessLog,
    onUnreadableAddress: metrics.countUnreadable('admin', logger),
    logger,
  });
  const callService = createCallService(deps);
  const openSession = createOpenSession(callService, deps.clock);
  const admission = createAdmission({ ...deps, openSession });
  registerAdminRoutes(app, routes, { callService, admission });
  const exportFiles = createExportFiles(app, { ...deps, ...deps.timings });
  const exportDeps = { callService, admission, openSession, exportFiles, clock: deps.clock };
  registerPaymentsCsv(app, exportDeps);
  registerUsageCsv(app, exportDeps);
  registerAuditExport(app, exportDeps);
  registerStream(app, { ...deps, ...deps.timings, callService, admission, openSession });
  registerOpenapi(app, { docsBaseUrl, adminApiUrl, routes });
  redirectToDocs(app, ADMIN_REDIRECTED_PATHS, `${docsBaseUrl}/`);
  return app;
}
