/** What loads that show webhook endpoints, deliveries or events depend on: invalidated when one of them has changed. */
export const WEBHOOKS_KEY = 'tollgate:webhooks';
