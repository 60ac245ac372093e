/** Makes the first application and its keys on a platform of containers, and prints them. Run again, it prints the same ones. */
import { connectBus } from '@tollgate/bus/connection';
import { createActorSigner } from '@tollgate/service-kit/actor-token';
import { systemClock } from '@tollgate/service-kit/clock';
import { pemKeys, readConfig, text, url } from '@tollgate/service-kit/config';
import { ensureFirstApplication } from '../first-run.ts';

const config = readConfig(process.env, {
  natsUrl: url('NATS_URL', { protocols: ['nats', 'tls'] }),
  actorSigningKey: pemKeys('ACTOR_SIGNING_KEY'),
  /** File in which the steps and the credentials are kept. */
  path: text('FIRST_RUN_PATH'),
});
const [signingKey = ''] = config.actorSigningKey;

const bus = await connectBus({ url: config.natsUrl, name: 'first-run' });
const { applicationId, apiKeys } = await ensureFirstApplication({
  path: config.path,
  bus,
  signActor: createActorSigner(signingKey, systemClock),
});
await bus.close();
process.stdout.write(
  `application  ${applicationId}\nlive key     ${apiKeys.live}\nsandbox key  ${apiKeys.sandbox}\n`,
);
