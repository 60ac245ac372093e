import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { HISTORY_INDEXES } from './history-indexes.ts';
import type { PaymentCollections } from './payment-collections.ts';
import type { PaymentOwner } from './payment-owner.ts';

/** One payment, for a caller, a member, or a processor. */
export function paymentReads({ Model, collection }: PaymentCollections) {
  return {
    async find(owner: PaymentOwner, paymentId: string): Promise<PaymentDocument | null> {
      // Bypasses mongoose's casting as well: the filter holds validated strings, and this is the most frequent read.
      return collection.findOne({ ...owner, _id: paymentId });
    },

    /**
     * A member knows only a payment's id. A later change to the payment must name the application that this read
     * returned.
     */
    async findOfTeam(teamId: string, paymentId: string): Promise<PaymentDocument | null> {
      return collection.findOne({ team_id: teamId, _id: paymentId });
    },

    /** A processor knows only a payment's id, like a member. */
    async findOfProcessor(processor: string, paymentId: string): Promise<PaymentDocument | null> {
      return collection.findOne({ _id: paymentId, 'settlement.processor': processor });
    },

    /** Whether the application has a payment in any environment. */
    async existsOfApplication(teamId: string, applicationId: string): Promise<boolean> {
      const found = await collection.findOne(
        { team_id: teamId, environment: { $in: ENVIRONMENTS }, application_id: applicationId },
        { projection: { _id: 1 }, hint: HISTORY_INDEXES.application.name },
      );
      return found !== null;
    },

    async findByCreateKey(owner: PaymentOwner, key: string): Promise<PaymentDocument | null> {
      return Model.findOne({ ...owner, 'create_key.key': key }).lean<PaymentDocument>();
    },

    async findByCancelKey(owner: PaymentOwner, key: string): Promise<PaymentDocument | null> {
      return Model.findOne({ ...owner, 'cancel_key.key': key }).lean<PaymentDocument>();
    },
  };
}
