import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GenericContainer,
  getContainerRuntimeClient,
  type StartedTestContainer,
  StartupCheckStrategy,
  type StartupStatus,
} from 'testcontainers';
import { eventually } from './eventually.ts';
import type { TestServer } from './test-server.ts';

const START_TIMEOUT_MS = 60_000;
/** The stream of a running container's log does not end. */
const LOG_TIMEOUT_MS = 500;

/** The port is mapped before the server in the container listens, so the server is up only when it responds. */
class Responses extends StartupCheckStrategy {
  readonly #isReady: () => Promise<boolean>;

  constructor(isReady: () => Promise<boolean>) {
    super();
    this.#isReady = isReady;
  }

  override async checkStartupState(): Promise<StartupStatus> {
    return (await this.#isReady()) ? 'SUCCESS' : 'PENDING';
  }
}

/**
 * Starts a server in a container whose host port stays the same across restarts, as reconnecting clients expect. Its
 * data is in the container itself, so a new container is an empty server.
 */
export async function startContainerServer(options: {
  image: string;
  /** Appended to the image's entrypoint. */
  command: string[];
  env?: Record<string, string>;
  files?: { target: string; content: string }[];
  containerPort: number;
  hostPort: number;
  url: string;
  isReady: () => Promise<boolean>;
}): Promise<TestServer> {
  const { image, command, env = {}, files = [], containerPort, hostPort, url, isReady } = options;
  const docker = await getContainerRuntimeClient();

  const create = () =>
    new GenericContainer(image)
      .withCommand(command)
      .withEnvironment(env)
      .withCopyContentToContainer(files)
      .withExposedPorts({ container: containerPort, host: hostPort })
      .withWaitStrategy(new Responses(isReady))
      .start();
  let container: StartedTestContainer | null = await create();
  let running = true;
  let earlierOutput = '';

  const end = async (how: 'stop' | 'kill') => {
    if (container === null || !running) return;
    const handle = docker.container.getById(container.getId());
    if (how === 'kill') await handle.kill();
    else await handle.stop();
    running = false;
  };
  const remove = async () => {
    if (container !== null) earlierOutput += await outputOf(container);
    await container?.stop({ timeout: 0, remove: true, removeVolumes: true });
    container = null;
    running = false;
  };
  return {
    url,
    pid: null,
    storeDir: null,
    async start() {
      if (running) return;
      if (container === null) {
        container = await create();
      } else {
        await docker.container.getById(container.getId()).start();
        await eventually(`${image} responds`, isReady, { timeoutMs: START_TIMEOUT_MS });
      }
      running = true;
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
    output: async () => earlierOutput + (container === null ? '' : await outputOf(container)),
    deleteStore: remove,
    dispose: remove,
  };
}

/** The log has the output of all starts of the container. */
async function outputOf(container: StartedTestContainer): Promise<string> {
  let output = '';
  const ended = (await container.logs({ since: 0 })).on('data', (text: string) => {
    output += text;
  });
  await Promise.race([once(ended, 'end'), sleep(LOG_TIMEOUT_MS, undefined, { ref: false })]);
  return output;
}
