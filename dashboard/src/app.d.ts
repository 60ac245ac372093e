import type { Environment } from '@tollgate/contracts/environment';
import type { OpenPayment } from '#lib/payments/payment-drawer.svelte.ts';
import type { AdminClient } from '#lib/server/admin-client.ts';
import type { SealedCookies, Session } from '#lib/server/sealed-cookies.ts';
import type { Theme } from '#lib/theme.ts';

declare global {
  // biome-ignore lint/style/noNamespace: SvelteKit reads its types from this namespace.
  namespace App {
    interface Error {
      /** For the person to quote when they report it. */
      requestId: string;
    }
    interface Locals {
      requestId: string;
      /** Null when nobody is signed in. */
      session: Session | null;
      /** Calls the admin API as anyone who is signed in; leads to the sign-in page when their session has ended. */
      admin: AdminClient;
      sealedCookies: SealedCookies;
      /** The dashboard is reached by https: every cookie must say so. */
      secure: boolean;
      /** Base addresses of the public API. */
      apiUrls: Record<Environment, string>;
      /** Origin of the dashboard, for links that are handed out. */
      dashboardUrl: string;
    }
    interface PageState {
      /** The payment that is open beside the list. */
      openPayment?: OpenPayment;
    }
    interface PageData {
      theme?: Theme;
      /** IANA name; UTC until the browser has told its own. */
      timeZone?: string;
      /** When the server made the page, epoch milliseconds. */
      now?: number;
    }
  }
}
