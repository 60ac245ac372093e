import { DATABASE_OWNERS, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { mongodbUrl, text, type Variable } from '@tollgate/runtime/config';

const passwordVariables = Object.fromEntries(
  DATABASE_OWNERS.map((owner) => [
    owner,
    text(`MONGODB_PASSWORD_${owner.toUpperCase()}`, {
      isSecret: true,
      description: 'Password of the user of this service.',
    }),
  ]),
) as Record<DatabaseOwner, Variable<string>>;

export const mongodbUsersVariables = {
  url: { ...mongodbUrl, description: 'MongoDB, with a user that may create others.' },
  ...passwordVariables,
};
