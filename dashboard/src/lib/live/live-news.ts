import { type PaymentNews, readPaymentNews } from './payment-news.ts';
import { type DeliveryNews, type EndpointNews, readDeliveryNews, readEndpointNews } from './webhook-news.ts';

/** Something of the team has changed. */
export type LiveNews = PaymentNews | DeliveryNews | EndpointNews;

/** How each event of the stream is read, by its name. */
export const NEWS_READERS = {
  'payment.created': readPaymentNews,
  'payment.processing': readPaymentNews,
  'payment.succeeded': readPaymentNews,
  'payment.failed': readPaymentNews,
  'payment.canceled': readPaymentNews,
  delivery: readDeliveryNews,
  webhook_endpoint: readEndpointNews,
} satisfies Record<PaymentNews['type'] | 'delivery' | 'webhook_endpoint', (data: string) => LiveNews | null>;
