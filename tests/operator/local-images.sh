#!/bin/sh
# Builds every image that the operator's trial uses, on a machine that reaches Debian packages and the npm registry and no registry of images:
#   sudo DOCKER_HOST=… sh tests/operator/local-images.sh
# The tags are those that tests/operator/local-images.env names. A registry with a private CA: put the CA into docker/<name>.pem and set
# NPM_CONFIG_CAFILE=/app/<name>.pem.
set -eu
suite=${DEBIAN_SUITE:-bookworm}
checkout=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Each build is for the classic builder, which needs no image of its own.
export DOCKER_BUILDKIT=0
build() {
  docker build --quiet --network host "$@"
}

# Debian, in place of debian:bookworm-slim.
debootstrap --variant=minbase --include=ca-certificates,libatomic1 "$suite" "$folder/debian" > "$folder/debootstrap.log"
tar --create --directory "$folder/debian" . | docker import - tollgate-trial/debian

# Node and npm, in place of node:26-slim.
mkdir "$folder/node"
cp "$checkout/node_modules/node/bin/node" "$folder/node/node"
cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$folder/node/npm"
cat > "$folder/node/Dockerfile" <<'DOCKERFILE'
FROM tollgate-trial/debian
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
DOCKERFILE
build --tag tollgate-trial/node "$folder/node"

# nats-server and wget, in place of nats:2.12.8-alpine.
mkdir "$folder/nats"
cat > "$folder/nats/Dockerfile" <<'DOCKERFILE'
FROM tollgate-trial/debian
RUN apt-get update && apt-get install --yes --no-install-recommends nats-server wget && cp /usr/sbin/nats-server /nats-server
ENTRYPOINT ["/nats-server"]
DOCKERFILE
build --tag tollgate-trial/nats "$folder/nats"

# HAProxy, in place of haproxy:3.2.
mkdir "$folder/haproxy"
cat > "$folder/haproxy/Dockerfile" <<'DOCKERFILE'
FROM tollgate-trial/debian
RUN apt-get update && apt-get install --yes --no-install-recommends haproxy
USER haproxy
CMD ["haproxy"]
DOCKERFILE
build --tag tollgate-trial/haproxy "$folder/haproxy"

build --tag tollgate-trial/tollgate --build-arg BASE_IMAGE=tollgate-trial/node --build-arg NATS_IMAGE=tollgate-trial/nats \
  ${NPM_CONFIG_CAFILE:+--build-arg "NPM_CONFIG_CAFILE=$NPM_CONFIG_CAFILE"} \
  ${NPM_CONFIG_REGISTRY:+--build-arg "NPM_CONFIG_REGISTRY=$NPM_CONFIG_REGISTRY"} \
  "$checkout"
