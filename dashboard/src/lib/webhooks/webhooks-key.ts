/** Dependency key of loads that show webhook endpoints, deliveries or events: invalidated when one of them changes. */
export const WEBHOOKS_KEY = 'tollgate:webhooks';
