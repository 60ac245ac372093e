import { defineParams } from '@sveltejs/kit/params';
import { ENVIRONMENTS } from '@tollgate/contracts/environment';

export const params = defineParams({
  environment: (param) => ENVIRONMENTS.find((environment) => environment === param),
});
