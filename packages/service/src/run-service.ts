import { onStop } from '@tollgate/runtime/graceful-stop';
import { startOrExit } from '@tollgate/runtime/start-or-exit';
import type { Service, ServiceApp, ServiceConfig } from './service.ts';
import { startService } from './start-service.ts';

/** Runs a service as this process, until a signal or a fatal error stops it. */
export async function runService<Config extends ServiceConfig, App extends ServiceApp>(
  service: Service<Config, App>,
): Promise<void> {
  await startOrExit(service.name, async () => {
    const running = await startService(service, process.env);
    onStop({
      logger: running.logger,
      steps: [{ name: 'stop', run: running.stop }],
      drainDelayMs: running.drainDelayMs,
    });
  });
}
