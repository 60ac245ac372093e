# One image for every role; what a container runs is its command (see docker-compose.yml and docker/entrypoint.sh).
#   docker build -t tollgate .
#   docker run -p 127.0.0.1:3000:3000 -p 127.0.0.1:8080-8082:8080-8082 -v tollgate:/var/lib/tollgate tollgate all-in-one
# Only the dashboard is built; of everything else Node runs the TypeScript sources. The workspaces stay links from node_modules into /app, because Node
# refuses to strip the types of files that really lie inside node_modules.
ARG BASE_IMAGE=node:26-slim
# Only all-in-one runs its own nats-server. Pin both images by digest for builds that can be repeated.
ARG NATS_IMAGE=nats:2.12.8
FROM ${NATS_IMAGE} AS nats

# Manifests without sources: the layers that install packages stay in the cache until a manifest or the lockfile changes.
# npm compares the lockfile with every workspace, so that all of them are here.
FROM ${BASE_IMAGE} AS manifests
# Behind a proxy: a mirror of the npm registry, and a file docker/<name>.pem with its CA, named as /app/<name>.pem.
ARG NPM_CONFIG_REGISTRY
ARG NPM_CONFIG_CAFILE
WORKDIR /app
COPY package.json package-lock.json .npmrc docker/*.pem ./
COPY gateway/package.json gateway/
COPY dashboard/package.json dashboard/
COPY dashboard/src/server/package.json dashboard/src/server/
COPY services/accounts/package.json services/accounts/
COPY services/applications/package.json services/applications/
COPY services/audit/package.json services/audit/
COPY services/payments/package.json services/payments/
COPY services/usage/package.json services/usage/
COPY services/webhooks/package.json services/webhooks/
COPY packages/admin-client/package.json packages/admin-client/
COPY packages/all-in-one/package.json packages/all-in-one/
COPY packages/audit-log/package.json packages/audit-log/
COPY packages/bus/package.json packages/bus/
COPY packages/cli/package.json packages/cli/
COPY packages/configuration/package.json packages/configuration/
COPY packages/contracts/package.json packages/contracts/
COPY packages/docs-site/package.json packages/docs-site/
COPY packages/embedded-mongodb/package.json packages/embedded-mongodb/
COPY packages/http/package.json packages/http/
COPY packages/launcher/package.json packages/launcher/
COPY packages/local-servers/package.json packages/local-servers/
COPY packages/outbound/package.json packages/outbound/
COPY packages/processor-adapter/package.json packages/processor-adapter/
COPY packages/prose-lint/package.json packages/prose-lint/
COPY packages/release/package.json packages/release/
COPY packages/runtime/package.json packages/runtime/
COPY packages/sdk/package.json packages/sdk/
COPY packages/security/package.json packages/security/
COPY packages/service/package.json packages/service/
COPY packages/store/package.json packages/store/
COPY packages/test-kit/package.json packages/test-kit/
COPY packages/tracing/package.json packages/tracing/
COPY adapters/mollie/package.json adapters/mollie/
COPY adapters/stripe/package.json adapters/stripe/
COPY tests/package.json tests/

FROM manifests AS dashboard
ARG NPM_CONFIG_REGISTRY
ARG NPM_CONFIG_CAFILE
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace=dashboard
COPY . .
RUN npm run build --workspace=dashboard

FROM manifests AS docs
ARG NPM_CONFIG_REGISTRY
ARG NPM_CONFIG_CAFILE
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace=packages/docs-site
COPY . .
RUN npm run build --workspace=packages/docs-site

FROM manifests AS packages
ARG NPM_CONFIG_REGISTRY
ARG NPM_CONFIG_CAFILE
# Only what the services need at run time.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
      --workspace=gateway --workspace=services/accounts --workspace=services/applications --workspace=services/payments \
      --workspace=services/webhooks --workspace=services/usage --workspace=services/audit --workspace=dashboard/src/server --workspace=packages/launcher \
      --workspace=packages/all-in-one --workspace=packages/cli --workspace=packages/configuration
# Of these packages: docker run --rm --entrypoint cat tollgate sbom.cdx.json
COPY docker/print-sbom.mjs docker/
RUN node docker/print-sbom.mjs > sbom.cdx.json
COPY . .
COPY --from=dashboard /app/dashboard/dist dashboard/dist
COPY --from=docs /app/packages/docs-site/dist packages/docs-site/dist

FROM ${BASE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=nats /nats-server /usr/local/bin/nats-server
# Owned by root and run by another user: a process that is taken over cannot change its own code.
COPY --from=packages /app ./
# What a container keeps: of a gateway, usage until it is stored; of all-in-one, everything. A named volume mounted here takes over its owner.
RUN install --directory --owner=1000 --group=1000 --mode=700 /var/lib/tollgate /var/lib/tollgate/gateway-usage
USER 1000:1000
# docker stop sends SIGTERM, on which every role stops gracefully.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/docker/entrypoint.sh"]
CMD ["gateway"]
