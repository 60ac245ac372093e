import type { Component, RunningComponent } from '@tollgate/runtime/component';
import { createLogger } from '@tollgate/runtime/logger';
import { readEnvironments } from './environments.ts';

const NAME = 'all-in-one';

/**
 * Several components as one, in one process. Each reads a configuration of its own and has its own connections, listeners, and ops
 * server, exactly as in a process of its own. All start at once. An error that nothing handles ends them all.
 */
export function allInOne(stages: readonly (readonly Component[])[]): Component {
  return {
    name: NAME,
    async start(env) {
      const environments = readEnvironments(env, stages.flat());
      const start = (component: Component) => component.start(environments.get(component.name) ?? {});
      const running = await Promise.all(stages.map((stage) => Promise.all(stage.map(start))));
      return {
        logger: createLogger({ service: NAME, isSynchronous: true }),
        stop: () => stopStages(running),
      };
    },
  };
}

async function stopStages(running: readonly (readonly RunningComponent[])[]): Promise<void> {
  for (const stage of running.toReversed()) await Promise.all(stage.map((component) => component.stop()));
}
