import { type Bus, connectBus } from '@tollgate/bus/connection';
import { type Terminal, UsageError } from './command.ts';
import { readSecret } from './read-secret.ts';

/** Connects to NATS at `NATS_URL`, which names the user of the operator. Throws UsageError without it. */
export function connectAsOperator({ env, printError }: Terminal): Promise<Bus> {
  const url = readSecret(env, 'NATS_URL');
  if (url === '') {
    throw new UsageError(
      'Set NATS_URL to the address of NATS, for example nats://operator:password@localhost:4222.',
    );
  }
  const log = (_fields: object, message: string) => printError(message);
  return connectBus({ url, name: 'tollgate-cli', logger: { info: () => undefined, warn: log, error: log } });
}
