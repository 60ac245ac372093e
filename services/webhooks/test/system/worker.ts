import { runService } from '@tollgate/service/run-service';
import { buildApp } from '../../src/app.ts';
import { appDeps, service } from '../../src/service.ts';

const leaseMs = Number(process.env['TEST_LEASE_MS']);

/** The service's `main` with a short lease, so that a test need not wait for minutes. */
await runService({
  ...service,
  build: (context) => buildApp({ ...appDeps(context), leaseMs, deadlineMs: leaseMs / 2 }),
});
