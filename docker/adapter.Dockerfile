# One adapter, which ADAPTER names. The context is the root of the repository:
#   docker build -f docker/adapter.Dockerfile --build-arg ADAPTER=stripe -t tollgate-adapter-stripe .
# Node runs the TypeScript sources. The packages stay links from node_modules into /app, because Node refuses to strip the types of
# files that really lie inside node_modules.
ARG BASE_IMAGE=node:26-slim

FROM ${BASE_IMAGE} AS packages
ARG ADAPTER
WORKDIR /app
# npm compares the lockfile with the manifest of every workspace.
COPY . .
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace="adapters/${ADAPTER:?}"
RUN rm -rf packages/test-kit

FROM ${BASE_IMAGE}
ARG ADAPTER
# In a container, 127.0.0.1 would be reachable by nobody else.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_FILE=/data/payments.sqlite
WORKDIR /app
# Owned by root and run by another user: a process that is taken over cannot change its own code.
COPY --from=packages /app/package.json ./
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/packages packages
COPY --from=packages /app/adapters/${ADAPTER} adapters/${ADAPTER}
# A named volume mounted here takes over its owner.
RUN install --directory --owner=1000 --group=1000 --mode=700 /data
VOLUME /data
USER 1000:1000
STOPSIGNAL SIGTERM
WORKDIR /app/adapters/${ADAPTER}
ENTRYPOINT ["node"]
CMD ["src/main.ts"]
