import { DATABASE_OWNERS, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { mongodbUrl, type Variable } from '@tollgate/runtime/config';

/** Variables of `tollgate migrate`: where each database is. Empty for a service without a variable of its own. */
export const migrateVariables = {
  url: {
    ...mongodbUrl,
    fallback: '',
    description: 'MongoDB, for the services without a variable of their own.',
  } satisfies Variable<string>,
  ...(Object.fromEntries(
    DATABASE_OWNERS.map((owner) => [
      owner,
      {
        ...mongodbUrl,
        name: `MONGODB_URL_${owner.toUpperCase()}`,
        fallback: '',
        description: 'MongoDB, with the user of this service.',
      },
    ]),
  ) as Record<DatabaseOwner, Variable<string>>),
};
