/** Builds the dashboard unless it is built. `npm test` and `npm run test:system` run this before all tests. */
import { join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { ensureDashboardBuild } from './dashboard-build.ts';

await ensureDashboardBuild({
  checkoutDir: CHECKOUT_DIR,
  logPath: join(CHECKOUT_DIR, '.cache', 'dashboard-build.log'),
  say: (line) => process.stdout.write(`${line}\n`),
});
