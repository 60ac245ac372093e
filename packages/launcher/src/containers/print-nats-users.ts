/**
 * Prints the `authorization` block of a nats-server's configuration, with a user for each process. The passwords are
 * variables of the server's environment: `NATS_PASSWORD_<PROCESS>`.
 */
import { natsUsers } from '@tollgate/bus/permissions/nats-users';
import { CONTAINER_PROCESSES } from './container-processes.ts';

process.stdout.write(
  natsUsers({
    processes: CONTAINER_PROCESSES,
    password: (name) => `$NATS_PASSWORD_${name.toUpperCase()}`,
  }),
);
