import type { ServeRpc } from '@tollgate/bus/rpc';
import { checkSignature as contract } from '@tollgate/contracts/webhooks/rpc';
import type { Context } from '../context.ts';
import { checkSignature } from '../signing/check-signature.ts';

export function serveSignatureRpc(serve: ServeRpc, context: Context) {
  return [
    serve(contract, async (request, { actor }) => {
      const received = {
        id: request.webhook_id,
        timestamp: request.webhook_timestamp,
        signature: request.webhook_signature,
        body: request.body,
      };
      const { matches, secret, ageS, findings } = await checkSignature(context, actor, {
        endpointId: request.endpoint_id,
        received,
      });
      return { matches, secret, age_s: ageS, findings };
    }),
  ];
}
