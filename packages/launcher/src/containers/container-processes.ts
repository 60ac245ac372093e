import { PROCESS_NAMES } from '@tollgate/bus/permissions/process-table';

/** Processes with a NATS user in containers. Only `npm start` has a launcher. */
export const CONTAINER_PROCESSES = PROCESS_NAMES.filter((name) => name !== 'launcher');
