import type { QuickstartParts } from './quickstart.ts';

/** Terminal output when everything is running: URLs, sign-in, and a command for a first payment. */
export function greeting(
  { firstRun, urls, inboxUrl }: QuickstartParts,
  files: { quickstart: string; logsDir: string },
): string {
  const { application, owner } = firstRun;
  return `
Tollgate is running.

  dashboard ${urls.dashboard}
  live      ${urls.live}
  sandbox   ${urls.sandbox}
  admin     ${urls.admin}
  docs      ${urls.live}/docs/
${inboxUrl === null ? '' : `  inbox     ${inboxUrl}\n`}
${owner.password === null ? 'Sign in with the password that you chose.' : signIn(owner.email, owner.password, firstRun.isNew, files.quickstart)}
${application === null ? 'The first application was removed. Create one in the dashboard.' : firstPayment(urls.sandbox, application.apiKeys.sandbox)}

Keys and addresses: ${files.quickstart}
Logs: ${files.logsDir}
Press Ctrl+C to stop.
`;
}

/** The password is shown on the first start only: other people may see the terminal later. */
function signIn(email: string, password: string, isNew: boolean, quickstart: string): string {
  return `Sign in to the dashboard:

  email     ${email}
  password  ${isNew ? password : `in ${quickstart}`}
`;
}

function firstPayment(baseUrl: string, apiKey: string): string {
  return `Create a first payment in the sandbox:

  curl -i ${baseUrl}/v1/payments \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H "Idempotency-Key: $(date +%s)-$$" \\
    -H 'Content-Type: application/json' \\
    -d '{"amount": 1999, "currency": "EUR", "reference": "order-1"}'`;
}
