#!/bin/sh
# Runs a role of the platform, such as `docker run tollgate gateway`. Anything else is an argument of Node.
set -eu
case "${1-}" in
  payments | services/payments/src/main.ts | tollgate)
    # Gateways reach each instance of payments by the name of its container, unless the environment has another address.
    export ADVERTISED_URL="${ADVERTISED_URL:-http://$(hostname):${PORT:-8090}}"
    ;;
esac
case "${1-}" in
  accounts | applications | audit | payments | usage | webhooks) main="services/$1/src/main.ts" ;;
  gateway) main=gateway/src/main.ts ;;
  dashboard) main=dashboard/src/server/main.ts ;;
  tollgate) main=packages/cli/bin/tollgate.mjs ;;
  all-in-one)
    main=packages/launcher/src/main.ts
    # Published ports reach the container on its other interfaces. The volume is the only place that can be written.
    # Only the dashboard calls the admin API from within the container. On a machine, any program could, and claim any address.
    export ADMIN_TRUSTED_PROXIES="${ADMIN_TRUSTED_PROXIES:-127.0.0.1/32,::1/128}"
    export TOLLGATE_PREBUILT=true TOLLGATE_HOST="${TOLLGATE_HOST:-0.0.0.0}" TOLLGATE_DATA_DIR=/var/lib/tollgate/data
    ;;
  *) exec node "$@" ;;
esac
shift
exec node "$main" "$@"
