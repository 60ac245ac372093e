import { formatVersion, RELEASE } from '@tollgate/local-servers/nats-server/server-version';
import { getContainerRuntimeClient, ImageName } from 'testcontainers';

/** What the tests run on: containers of the official images, or the servers of `npm start`. */
export type BackEnd = 'testcontainers' | 'embedded';

export const MONGO_IMAGE = process.env['TEST_MONGO_IMAGE'] || 'mongo:7';
export const NATS_IMAGE = process.env['TEST_NATS_IMAGE'] || `nats:${formatVersion(RELEASE)}`;
/** Image of testcontainers that removes the containers of a killed test process. */
const REAPER_IMAGE = process.env['RYUK_CONTAINER_IMAGE'] || 'testcontainers/ryuk:0.14.0';

const PULL_TIMEOUT_MS = 300_000;

export interface Choice {
  backEnd: BackEnd;
  /** Reason, printed at the start of the run. */
  because: string;
}

/** What the choice needs of a Docker engine. */
interface Engine {
  image: { exists(image: ImageName): Promise<boolean>; pull(image: ImageName): Promise<void> };
}

/**
 * Uses `TEST_INFRA`. Without it, uses containers if a Docker engine responds and has the images. Pulls them only if `TEST_INFRA` asks for
 * containers: most packages need neither server.
 * @throws Error if TEST_INFRA has another value, or requires containers that are unavailable
 */
export async function chooseBackEnd(
  env: NodeJS.ProcessEnv,
  say: (line: string) => void = () => undefined,
  connect: () => Promise<Engine> = getContainerRuntimeClient,
): Promise<Choice> {
  const wanted = env['TEST_INFRA'] || null;
  if (wanted === 'embedded') return { backEnd: 'embedded', because: 'set by TEST_INFRA' };
  if (wanted !== null && wanted !== 'testcontainers') {
    throw new Error(`TEST_INFRA is "${wanted}". Set it to testcontainers or embedded, or unset it.`);
  }
  const obstacle = await findObstacle({ env, say, connect, mayPull: wanted === 'testcontainers' });
  if (obstacle === null) {
    return { backEnd: 'testcontainers', because: `Docker responds; ${MONGO_IMAGE} and ${NATS_IMAGE}` };
  }
  if (wanted === 'testcontainers') {
    throw new Error(`TEST_INFRA is testcontainers, but ${obstacle}. Fix that, or set TEST_INFRA=embedded.`);
  }
  return { backEnd: 'embedded', because: obstacle };
}

/** @returns why containers cannot be used, or null. Sets TESTCONTAINERS_RYUK_DISABLED if only the reaper is missing. */
async function findObstacle({
  env,
  say,
  connect,
  mayPull,
}: {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  connect: () => Promise<Engine>;
  mayPull: boolean;
}): Promise<string | null> {
  let engine: Engine;
  try {
    engine = await connect();
  } catch {
    return 'no Docker engine responds';
  }
  const canHave = async (name: string) => {
    try {
      const image = ImageName.fromString(name);
      if (await engine.image.exists(image)) return true;
      if (!mayPull) return false;
      say(`Pulling the image ${name}…`);
      await withTimeout(engine.image.pull(image), PULL_TIMEOUT_MS);
      return true;
    } catch {
      return false;
    }
  };
  for (const image of [MONGO_IMAGE, NATS_IMAGE]) {
    if (await canHave(image)) continue;
    return mayPull
      ? `the image ${image} cannot be pulled`
      : `the image ${image} is not available locally, which TEST_INFRA=testcontainers would pull`;
  }
  // Without the reaper, each test still stops its containers. Only those of killed test runs stay.
  if (!(await canHave(REAPER_IMAGE))) env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  return null;
}

async function withTimeout(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), timeoutMs);
  });
  try {
    await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

let chosen: Promise<Choice> | undefined;

/** Decides once per process, and prints the decision unless `npm test` has done so. */
export async function chooseBackEndOnce(): Promise<BackEnd> {
  chosen ??= chooseBackEnd(process.env).then((choice) => {
    if (!process.env['TEST_INFRA'])
      process.stdout.write(`Tests run on: ${choice.backEnd} (${choice.because}).\n`);
    return choice;
  });
  return (await chosen).backEnd;
}
