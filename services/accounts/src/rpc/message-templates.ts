import type { Bus } from '@tollgate/bus/connection';
import { type RpcServerOptions, serveRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/rpc/accounts';
import { wholeList } from '@tollgate/contracts/rpc/page';
import type { Context } from '../context.ts';
import { previewMessage, previewMessages } from '../previews/preview-messages.ts';
import { messagePreviewToWire, messageTemplateToWire } from './wire.ts';

/** Methods for previews of emails and chat messages. */
export function serveMessageTemplateRpc(bus: Bus, context: Context, options: RpcServerOptions) {
  return [
    serveRpc(
      bus,
      contract.listMessageTemplates,
      async (_request, { actor }) =>
        wholeList((await previewMessages(context, actor)).map(messageTemplateToWire)),
      options,
    ),
    serveRpc(
      bus,
      contract.previewMessage,
      async ({ template_id }, { actor }) =>
        messagePreviewToWire(await previewMessage(context, actor, { templateId: template_id })),
      options,
    ),
  ];
}
