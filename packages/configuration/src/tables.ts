import { mollieVariables } from '@tollgate/adapter-mollie/config';
import { stripeVariables } from '@tollgate/adapter-stripe/config';
import { mongodbUsersVariables } from '@tollgate/launcher/containers/mongodb-users-variables';
import { launcherVariables, localServerVariables } from '@tollgate/launcher/settings';
import { adapterVariables } from '@tollgate/processor-adapter/run-adapter';
import type { VariableTable } from '@tollgate/runtime/config';
import { commandLineVariables } from './command-line.ts';
import { migrateVariables } from './migrate-variables.ts';
import { ROLES } from './roles.ts';

/** The variables of each process, in the order of the page. The key is the title of its section, in Markdown. */
export const TABLES: Readonly<Record<string, VariableTable>> = {
  ...Object.fromEntries(Object.entries(ROLES).map(([name, { variables }]) => [name, variables])),
  'every adapter': adapterVariables,
  'Stripe adapter': stripeVariables,
  'Mollie adapter': mollieVariables,
  'npm start': { ...launcherVariables, ...localServerVariables },
  'create-mongodb-users': mongodbUsersVariables,
  'command line': commandLineVariables,
  'tollgate migrate': migrateVariables,
};
