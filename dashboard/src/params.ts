import { defineParams } from '@sveltejs/kit/params';
import type { Environment } from '@tollgate/contracts/platform/environment';

// A literal list: the browser matches paths, too, and importing the contracts would add their schemas to the bundle.
const ENVIRONMENTS: readonly Environment[] = ['live', 'sandbox'];

export const params = defineParams({
  environment: (param) => ENVIRONMENTS.find((environment) => environment === param),
});
