/**
 * Prints the `authorization` block of a nats-server's configuration, with a user for each process. The passwords are
 * variables of the server's environment: `NATS_PASSWORD_<PROCESS>`.
 *
 * `--shared-user` adds the user of all processes in earlier releases, for a rolling upgrade, with `NATS_PASSWORD`.
 */
import { parseArgs } from 'node:util';
import { natsUsers } from '@tollgate/bus/permissions/nats-users';
import { CONTAINER_PROCESSES } from './container-processes.ts';

const { values } = parseArgs({ options: { 'shared-user': { type: 'string' } } });
const sharedUser = values['shared-user'];
process.stdout.write(
  natsUsers({
    processes: CONTAINER_PROCESSES,
    password: (name) => `$NATS_PASSWORD_${name.toUpperCase()}`,
    ...(sharedUser !== undefined && { sharedUser: { name: sharedUser, password: '$NATS_PASSWORD' } }),
  }),
);
