/** In the subscription of an endpoint: every event type, including those that a later release adds. Apart from the schemas, for pages. */
export const ALL_EVENT_TYPES = '*';
