import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';

/** A request in a list, with the name of its key; null if that could not be read. */
export type RequestRow = LoggedRequest & { keyName: string | null };
