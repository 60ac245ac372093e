import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { OpenPayment } from '#lib/payments/payment-drawer.svelte.ts';
import type { FormLimits } from '#lib/server/field-limits.ts';
import type { SealedCookies, SealedValues } from '#lib/server/sealed-cookies.ts';
import type { Theme } from '#lib/theme.ts';

declare global {
  // biome-ignore lint/style/noNamespace: SvelteKit reads its types from this namespace.
  namespace App {
    interface Error {
      /** Request id to quote in a support request. The hook `handleError` adds it to every error. */
      requestId?: string;
      /** The code in an error response of the admin API. */
      code?: ErrorCode;
    }
    interface Locals {
      requestId: string;
      /** Null when nobody is signed in. */
      session: SealedValues['session'] | null;
      /** Calls the admin API as the signed-in member. Redirects to the sign-in page when the session has ended. */
      admin: AdminClient;
      sealedCookies: SealedCookies;
      /** IANA name; UTC until the browser has reported its own. */
      timeZone: string;
      /** Whether the dashboard is served over https: every cookie must then be `Secure`. */
      secure: boolean;
      /** Base addresses of the public API. */
      apiUrls: Record<Environment, string>;
      /** Base address of the admin API as scripts reach it. */
      adminApiUrl: string;
      /** Base URL of the documentation, without a trailing slash. */
      docsUrl: string;
      /** Page with the mails that Tollgate sends, in development; null elsewhere. */
      developmentInboxUrl: string | null;
      /** Origin of the dashboard, for links to share. */
      dashboardUrl: string;
    }
    interface PageState {
      /** The payment that the drawer beside the list shows. */
      openPayment?: OpenPayment;
    }
    interface PageData {
      docsUrl: string;
      developmentInboxUrl?: string | null;
      theme?: Theme;
      /** IANA name; UTC until the browser has reported its own. */
      timeZone?: string;
      /** When the server rendered the page, in epoch milliseconds. */
      now?: number;
      /** Limits of the fields of the page's forms. */
      limits?: FormLimits;
    }
  }
}
