import Type from 'typebox';
import { TextOfPattern } from '../platform/schema.ts';
import { PaymentFilters } from './payment-history.ts';

/** The query of an export of payments. */
export const PaymentsExportQuery = {
  ...PaymentFilters,
  time_zone: Type.Optional(
    TextOfPattern('^[A-Za-z0-9_+/-]{1,64}$', 'This must be the name of a time zone, such as Europe/Berlin.', {
      description:
        'Zone in which times are written, with their offset, such as `Europe/Berlin`; UTC by default',
    }),
  ),
};
