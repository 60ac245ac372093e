import type { Bus } from '@tollgate/bus/connection';
import { SECRET_SCANNING_PATH } from '@tollgate/contracts/applications/secret-scanning';
import { SANDBOX_PAGE_PATH } from '@tollgate/contracts/payments/sandbox-payment-methods';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Keyring } from '@tollgate/security/keyring';
import type { FastifyInstance } from 'fastify';
import { createAuthenticate } from '../authentication/authenticate.ts';
import type { Principals } from '../authentication/principals.ts';
import { createFindRejectedCaller } from '../authentication/rejected-caller.ts';
import { DOCS_PATHS } from '../docs/paths.ts';
import { registerDocs } from '../docs/routes.ts';
import type { Site } from '../docs/site.ts';
import { methodsOf, OPERATIONS, type Operation } from '../operations/operations.ts';
import type { PaymentsPool } from '../payments-instances/payments-pool.ts';
import { createForward } from '../proxy/forward.ts';
import { createPaymentsUpstream, type UpstreamFailure } from '../proxy/payments-upstream.ts';
import { createSignRequest } from '../proxy/sign-request.ts';
import { createRateLimiter } from '../rate-limit/rate-limiter.ts';
import { createAccessLog } from '../request/access-log.ts';
import type { GatewayMetrics } from '../request/gateway-metrics.ts';
import { buildHttpShell } from '../request/http-shell.ts';
import { createCallService } from '../rpc/call-service.ts';
import { registerSandboxPage } from '../sandbox-page/route.ts';
import type { SecretScanningKeys } from '../secret-scanning/public-keys.ts';
import { createReportLeaks } from '../secret-scanning/report-leaks.ts';
import { registerSecretScanning } from '../secret-scanning/route.ts';
import type { CountRequests } from '../usage/count-requests.ts';
import { type Admit, createAdmit } from './admit.ts';
import { registerOperations } from './routes.ts';

/** Path and query together. The longest valid target is below 100 characters. */
const MAX_TARGET_LENGTH = 2_048;

const knownPaths = (operations: readonly Operation[], { environment, secretScanningKeys }: PublicAppDeps) => [
  ...(environment === 'sandbox' ? [{ path: SANDBOX_PAGE_PATH, methods: ['GET', 'POST'] }] : []),
  ...(secretScanningKeys.size > 0 ? [{ path: SECRET_SCANNING_PATH, methods: ['POST'] }] : []),
  ...operations.map((operation) => ({ path: operation.path, methods: methodsOf(operation) })),
  ...DOCS_PATHS.map((path) => ({ path, methods: ['GET', 'HEAD'] })),
];

export interface PublicAppDeps {
  environment: Environment;
  /** Without a trailing slash. `/errors/<code>` is appended. */
  docsBaseUrl: string;
  /** Published addresses of both environments, without a trailing slash. */
  baseUrls: Record<Environment, string>;
  /** The documentation, which both environments serve. */
  site: Site;
  /** CIDRs of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
  principals: Principals;
  paymentsPool: PaymentsPool;
  /** What balancers get. */
  isReady: () => boolean;
  peppers: Keyring;
  signingKeys: Keyring;
  /** Empty: alerts of secret scanners are not accepted. */
  secretScanningKeys: SecretScanningKeys;
  /** Undefined until the first connection to NATS. */
  bus: () => Bus | undefined;
  metrics: GatewayMetrics;
  logger: Logger;
  clock: Clock;
  usage: CountRequests;
  upstreamTimeoutMs?: number;
  operations?: readonly Operation[];
}

/** The public API of one environment, built once for live and once for sandbox. */
export function buildPublicApp(deps: PublicAppDeps): FastifyInstance {
  const { environment, docsBaseUrl, baseUrls, site, trustedProxies, metrics, logger } = deps;
  const { operations = OPERATIONS } = deps;
  const accessLog = createAccessLog({ listener: environment, metrics, clock: deps.clock, logger });
  const app = buildHttpShell({
    docsBaseUrl,
    trustedProxies,
    knownPaths: knownPaths(operations, deps),
    maxTargetLength: MAX_TARGET_LENGTH,
    isReady: deps.isReady,
    accessLog,
    onUnreadableAddress: metrics.countUnreadable(environment, logger),
    logger,
  });
  registerDocs(app, { docsBaseUrl, baseUrls, operations, site });
  registerOperations(app, operations, {
    admit: admitWith(deps),
    findRejected: createFindRejectedCaller(deps),
    ...proxyWith(deps),
    usage: deps.usage,
  });
  if (environment === 'sandbox') {
    registerSandboxPage(app, { callService: createCallService(deps), clock: deps.clock });
  }
  if (deps.secretScanningKeys.size > 0) {
    registerSecretScanning(app, {
      keys: deps.secretScanningKeys,
      reportLeaks: createReportLeaks({ callService: createCallService(deps), peppers: deps.peppers }),
      clock: deps.clock,
    });
  }
  return app;
}

function admitWith(deps: PublicAppDeps): Admit {
  return createAdmit({
    environment: deps.environment,
    principals: deps.principals,
    authenticate: createAuthenticate(deps),
    rateLimiter: createRateLimiter(deps.clock),
  });
}

function proxyWith(deps: PublicAppDeps) {
  const { paymentsPool: pool, metrics, logger, upstreamTimeoutMs: timeoutMs } = deps;
  const onFailure = (reason: UpstreamFailure) => metrics.upstreamFailures.inc({ reason });
  const upstream = createPaymentsUpstream({
    pool,
    logger,
    onFailure,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const signRequest = createSignRequest(deps);
  return { upstream, forward: createForward({ ...deps, upstream, signRequest, onFailure }) };
}
