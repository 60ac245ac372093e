import { type PaymentNews, readPaymentNews } from './payment-news.ts';
import { type DeliveryNews, type EndpointNews, readDeliveryNews, readEndpointNews } from './webhook-news.ts';

/** A change to the team's data. */
export type LiveNews = PaymentNews | DeliveryNews | EndpointNews;

/** The parser of each event of the stream, by event name. */
export const NEWS_READERS = {
  'payment.created': readPaymentNews,
  'payment.processing': readPaymentNews,
  'payment.succeeded': readPaymentNews,
  'payment.failed': readPaymentNews,
  'payment.canceled': readPaymentNews,
  delivery: readDeliveryNews,
  webhook_endpoint: readEndpointNews,
} satisfies Record<PaymentNews['type'] | 'delivery' | 'webhook_endpoint', (data: string) => LiveNews | null>;
