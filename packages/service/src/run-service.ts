import type { Component } from '@tollgate/runtime/component';
import { runComponent } from '@tollgate/runtime/run-process';
import type { Service, ServiceApp, ServiceConfig } from './service.ts';
import { startService } from './start-service.ts';

/** Runs a service as this process, until a signal or a fatal error stops it. */
export async function runService<Config extends ServiceConfig, App extends ServiceApp>(
  service: Service<Config, App>,
): Promise<void> {
  await runComponent(serviceComponent(service));
}

/** A service as a component, which can run beside others in one process. */
export function serviceComponent<Config extends ServiceConfig, App extends ServiceApp>(
  service: Service<Config, App>,
): Component {
  return {
    name: service.name,
    configure(env) {
      const config = service.configure(env);
      return {
        drainDelayMs: service.isBehindBalancer ? config.drainDelayMs : 0,
        start: () => startService(service, { config, env }),
      };
    },
  };
}
