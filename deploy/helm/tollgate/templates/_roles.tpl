{{/*
What each role runs, its ports, and its variables. docker-compose.yml states the same, and a test compares them.
`secrets` maps variables to keys of the Secret.
*/}}
{{- define "tollgate.roles" -}}
{{- $everyAddress := include "tollgate.everyAddress" . -}}
{{- $docsUrl := .Values.urls.docs | default (printf "%s/docs" .Values.urls.live) -}}
{{- $admin := printf "http://%s-gateway-admin:8082" (include "tollgate.fullname" .) -}}
accounts:
  main: services/accounts/src/main.ts
  env:
    MAIL_FROM: {{ .Values.mail.from | quote }}
    LEAKED_PASSWORDS_URL: {{ .Values.leakSearch.url | quote }}
    CHAT_ALLOW_PRIVATE_NETWORKS: {{ .Values.chat.allowPrivateNetworks | quote }}
    CHAT_NETWORKS: {{ join "," .Values.chat.networks | quote }}
    DASHBOARD_URL: {{ .Values.urls.dashboard | quote }}
    SSO_NETWORKS: {{ join "," .Values.singleSignOn.networks | quote }}
    SSO_VERIFIED_DOMAINS: {{ join "," .Values.singleSignOn.verifiedDomains | quote }}
  secrets:
    ACCOUNTS_ENCRYPTION_KEYS: ACCOUNTS_ENCRYPTION_KEYS
    ACTOR_SIGNING_KEY: ACTOR_SIGNING_KEY
    ACTOR_PUBLIC_KEYS: ACTOR_PUBLIC_KEYS
    SIGNING_KEYS: ACCOUNTS_SIGNING_KEYS
    SIGNER_PUBLIC_KEYS: SIGNER_PUBLIC_KEYS
  optionalSecrets:
    # Works once: it is removed from the Secret afterwards.
    SETUP_TOKEN: SETUP_TOKEN
    SMTP_URL: SMTP_URL
applications:
  main: services/applications/src/main.ts
  secrets:
    API_KEY_PEPPERS: API_KEY_PEPPERS
    ACTOR_PUBLIC_KEYS: ACTOR_PUBLIC_KEYS
    SIGNING_KEYS: APPLICATIONS_SIGNING_KEYS
    SIGNER_PUBLIC_KEYS: SIGNER_PUBLIC_KEYS
payments:
  main: services/payments/src/main.ts
  ports: { http: 8090, callbacks: 8091 }
  env:
    HOST: {{ $everyAddress | quote }}
    PORT: '8090'
    # Gateways choose an instance themselves, so that each has its own address.
    ADVERTISED_URL: {{ eq .Values.ipFamily "IPv6" | ternary "http://[$(POD_IP)]:8090" "http://$(POD_IP):8090" | quote }}
    DOCS_BASE_URL: {{ $docsUrl | quote }}
    SANDBOX_API_URL: {{ .Values.urls.sandbox | quote }}
    PROCESSORS_FILE: {{ empty .Values.processors.existingConfigMap | ternary "" "/etc/tollgate/processors.yaml" | quote }}
    CALLBACK_HOST: {{ $everyAddress | quote }}
    CALLBACK_PORT: '8091'
  secrets:
    INTERNAL_SIGNING_KEYS: INTERNAL_SIGNING_KEYS
    ACTOR_PUBLIC_KEYS: ACTOR_PUBLIC_KEYS
    SIGNING_KEYS: PAYMENTS_SIGNING_KEYS
webhooks:
  main: services/webhooks/src/main.ts
  env:
    WEBHOOKS_ALLOW_PRIVATE_NETWORKS: {{ .Values.webhooks.allowPrivateNetworks | quote }}
    WEBHOOKS_LIVE_NETWORKS: {{ join "," .Values.webhooks.liveNetworks | quote }}
  secrets:
    WEBHOOK_ENCRYPTION_KEYS: WEBHOOK_ENCRYPTION_KEYS
    ACTOR_PUBLIC_KEYS: ACTOR_PUBLIC_KEYS
    SIGNING_KEYS: WEBHOOKS_SIGNING_KEYS
    SIGNER_PUBLIC_KEYS: SIGNER_PUBLIC_KEYS
usage:
  main: services/usage/src/main.ts
  secrets:
    ACTOR_PUBLIC_KEYS: ACTOR_PUBLIC_KEYS
    SIGNER_PUBLIC_KEYS: SIGNER_PUBLIC_KEYS
audit:
  main: services/audit/src/main.ts
  env:
    AUDIT_WITNESS_URL: {{ .Values.audit.witnessUrl | quote }}
  secrets:
    AUDIT_SIGNING_KEYS: AUDIT_SIGNING_KEYS
    ACTOR_PUBLIC_KEYS: ACTOR_PUBLIC_KEYS
    SIGNER_PUBLIC_KEYS: SIGNER_PUBLIC_KEYS
gateway:
  main: gateway/src/main.ts
  ports: { live: 8080, sandbox: 8081, admin: 8082 }
  env:
    LIVE_HOST: {{ $everyAddress | quote }}
    SANDBOX_HOST: {{ $everyAddress | quote }}
    ADMIN_HOST: {{ $everyAddress | quote }}
    LIVE_API_URL: {{ .Values.urls.live | quote }}
    SANDBOX_API_URL: {{ .Values.urls.sandbox | quote }}
    ADMIN_API_URL: {{ .Values.urls.admin | quote }}
    DOCS_BASE_URL: {{ $docsUrl | quote }}
    TRUSTED_PROXIES: {{ join "," .Values.trustedProxies.gateway | quote }}
    ADMIN_TRUSTED_PROXIES: {{ join "," .Values.trustedProxies.admin | quote }}
    SECRET_SCANNING_PUBLIC_KEYS: {{ .Values.secretScanning.publicKeys | quote }}
    USAGE_SPOOL_DIR: /var/lib/tollgate/gateway-usage
  secrets:
    API_KEY_PEPPERS: API_KEY_PEPPERS
    INTERNAL_SIGNING_KEYS: INTERNAL_SIGNING_KEYS
    SIGNING_KEYS: GATEWAY_SIGNING_KEYS
    SIGNER_PUBLIC_KEYS: SIGNER_PUBLIC_KEYS
dashboard:
  main: dashboard/src/server/main.ts
  ports: { http: 3000 }
  env:
    HOST: {{ $everyAddress | quote }}
    PORT: '3000'
    DASHBOARD_URL: {{ .Values.urls.dashboard | quote }}
    ADMIN_API_URL: {{ $admin | quote }}
    PUBLIC_ADMIN_API_URL: {{ .Values.urls.admin | quote }}
    LIVE_API_URL: {{ .Values.urls.live | quote }}
    SANDBOX_API_URL: {{ .Values.urls.sandbox | quote }}
    DOCS_BASE_URL: {{ $docsUrl | quote }}
    TRUSTED_PROXIES: {{ join "," .Values.trustedProxies.dashboard | quote }}
  secrets:
    SESSION_COOKIE_KEYS: SESSION_COOKIE_KEYS
{{- end -}}

{{/* Roles with their own users of MongoDB. */}}
{{- define "tollgate.services" -}}
accounts applications payments webhooks usage audit
{{- end -}}
