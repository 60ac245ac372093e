import type { PaymentStatus } from '@tollgate/contracts/payments/payment';
import type { SandboxPage } from '@tollgate/contracts/payments/rpc';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { Html, html } from './html.ts';
import { STYLE, STYLE_HASH } from './style.ts';

/** The page of the sandbox processor, for a payer. Works without JavaScript. */
export function paymentPage(page: SandboxPage): string {
  const { amount, currency, purpose, status, payment_id } = page;
  return documentOf(
    `Pay ${formatAmount(amount, currency)}`,
    html`<h1 class="amount">${formatAmount(amount, currency)}</h1>
${purpose === null ? [] : html`<p class="purpose">${purpose}</p>`}
${status === 'pending' ? actions(page) : result(page)}
<p class="id">${payment_id}</p>`,
  );
}

export function notFoundPage(): string {
  return documentOf(
    'Payment page not found',
    html`<h1>Payment page not found</h1>
<p class="hint">The link is incomplete or was created by another installation. Open the <code>next_action.url</code> of the payment.</p>`,
  );
}

/** Nothing may run or load. Chromium applies `form-action` to redirects as well, so it names the shop. */
export function contentSecurityPolicy(returnUrl: string | null): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    `form-action 'self'${returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

function actions({ expires_at }: SandboxPage): Html {
  return html`<form method="post">
<button name="action" value="pay" class="primary">Pay</button>
<button name="action" value="decline">Decline</button>
<button name="action" value="close" class="quiet">Close</button>
</form>
<p class="hint"><strong>Pay</strong> lets the payment succeed, and <strong>Decline</strong> lets it fail. <strong>Close</strong> leaves it
pending, as a payer does who closes the window. It expires on ${formatTime(expires_at)}.</p>`;
}

const RESULTS: Record<PaymentStatus, string> = {
  pending: 'Payment pending',
  processing: 'Payment processing',
  succeeded: 'Payment succeeded',
  failed: 'Payment failed',
  canceled: 'Payment canceled',
};

function result({ status, return_url }: SandboxPage): Html {
  return html`<p class="result ${status}" role="status">${RESULTS[status]}</p>
${
  return_url === null
    ? html`<p class="hint">You can close this page. The payment has no <code>return_url</code>.</p>`
    : html`<p><a class="primary" href="${return_url}">Return to the shop</a></p>`
}`;
}

function documentOf(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Tollgate sandbox</title>
${new Html(`<style>${STYLE}</style>`)}
</head>
<body>
<main>
<p class="badge">Sandbox test page. No real money moves.</p>
${content}
</main>
</body>
</html>
`.text;
}

function formatAmount(minorUnits: number, currency: string): string {
  const digits = CURRENCY_EXPONENTS.get(currency) ?? 0;
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(minorUnits / 10 ** digits);
}

function formatTime(time: string): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
    .format(new Date(time))
    .concat(' UTC');
}
