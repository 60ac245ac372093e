import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openInProcessServer, type Reply } from '../differential/in-process-server.ts';
import { doc, type Shorthand } from '../shorthand.ts';
import { temporaryFolder } from './server-under-test.ts';

export type Run = (command: { [name: string]: Shorthand }) => Reply;

/** Runs commands without a connection, on the thread of the test regardless of duration. */
export function startInProcess(): Run {
  const server = openInProcessServer(join(temporaryFolder(), 'data.db'));
  afterAll(() => server.close());
  return (command) => server.run(doc(command));
}

/** The code of an error reply; undefined for any other reply. */
export function errorCode(reply: Reply): number | undefined {
  return reply.kind === 'rejected' ? reply.codes[0] : undefined;
}
