/** The process that the embedded MongoDB runs in. Started by the launcher and by tests; see command.ts for its variables. */
import { start } from '@tollgate/embedded-mongodb';
import { integer, readConfig, text } from '@tollgate/service-kit/config';

const config = readConfig(process.env, {
  port: integer('EMBEDDED_MONGODB_PORT', { min: 1, max: 65_535 }),
  path: text('EMBEDDED_MONGODB_PATH'),
  user: text('EMBEDDED_MONGODB_USER'),
  password: text('EMBEDDED_MONGODB_PASSWORD'),
});
const server = await start(config);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await server.stop();
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// Whoever started this is gone: nobody could stop it any more.
process.on('disconnect', stop);
