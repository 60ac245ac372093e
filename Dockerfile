# One image for every service; what a container runs is its command (see docker-compose.yml).
#   docker build -t tollgate .
# Only the dashboard is built; of everything else Node runs the TypeScript sources. The workspaces stay links from node_modules into /app, because Node
# refuses to strip the types of files that really lie inside node_modules.
ARG BASE_IMAGE=node:26-slim

FROM ${BASE_IMAGE} AS dashboard
WORKDIR /app
COPY . .
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund --workspace=dashboard \
 && npm run build --workspace=dashboard

FROM ${BASE_IMAGE} AS packages
WORKDIR /app
COPY . .
# Only what the services need at run time. Install scripts are left out: the one that matters downloads Node, which the base has.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
      --workspace=gateway --workspace=services/accounts --workspace=services/applications --workspace=services/payments \
      --workspace=services/webhooks --workspace=services/usage --workspace=services/audit --workspace=dashboard --workspace=packages/launcher \
 && rm -rf packages/test-kit tests
COPY --from=dashboard /app/dashboard/dist dashboard/dist

FROM ${BASE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
# Owned by root and run by another user: a process that is taken over cannot change its own code.
COPY --from=packages /app ./
# Where the gateway keeps usage until it is stored; a named volume mounted here takes over its owner.
RUN install --directory --owner=1000 --group=1000 --mode=700 /var/lib/tollgate/gateway-usage
USER 1000:1000
# docker stop asks with SIGTERM, on which every service stops gracefully.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node"]
CMD ["gateway/src/main.ts"]
