import { defineParams } from '@sveltejs/kit/params';
import type { Environment } from '@tollgate/contracts/environment';

// Spelled out: the browser matches paths, too, and the contracts would bring their schemas along.
const ENVIRONMENTS: readonly Environment[] = ['live', 'sandbox'];

export const params = defineParams({
  environment: (param) => ENVIRONMENTS.find((environment) => environment === param),
});
