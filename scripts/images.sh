#!/bin/sh
# Builds the images: sh scripts/images.sh [neo4j] [newest] [kgdb]. "newest" is the server of docker/newest.lock.
#
# They are built from the wheel in dist/. With podman where no image can be pulled, the base is made of this
# machine's Debian packages and certificates; and the jars that kgdb has downloaded already are used.
set -eu
cd "$(dirname "$0")/.."

base=
engine=docker
case ${DOCKER_HOST:-} in
    *podman*) engine=podman ;;
    *) docker info >/dev/null 2>&1 || engine=podman ;;
esac
set_base() {
    pinned=$(sed -n 's/^ARG BASE=//p' docker/Dockerfile)
    if [ "$engine" = docker ] || podman image exists "$pinned" || podman pull --quiet "docker.io/library/$pinned" >/dev/null 2>&1; then
        return
    fi
    base=kgdb-base
    if podman image exists $base; then
        return
    fi
    echo "The base image cannot be pulled: making one with debootstrap …"
    folder=$(mktemp -d)
    debootstrap --variant=minbase bookworm "$folder" >/dev/null
    for kept in /etc/pip.conf /etc/apt/sources.list.d/debian.sources /usr/local/share/ca-certificates; do
        if [ -e "$kept" ]; then
            mkdir -p "$folder$(dirname "$kept")"
            cp -r "$kept" "$folder$(dirname "$kept")/"
        fi
    done
    cp /etc/apt/apt.conf.d/* "$folder/etc/apt/apt.conf.d/"
    tar -C "$folder" -c . | podman import --quiet - $base
    rm -rf "$folder"
}
build() {
    if [ "$engine" = docker ]; then
        docker build --build-arg WHEEL=dist --file docker/Dockerfile "$@" .
        return
    fi
    jars=$(.venv/bin/python -c 'from kgdb.settings import load_settings; print(load_settings().home / "jars")')
    # Health checks are no part of the other format.
    podman build --quiet --isolation chroot --format docker ${base:+--build-arg BASE=$base} \
        --build-arg WHEEL=dist --volume "$jars:/jars:ro" --file docker/Dockerfile "$@" .
}

set_base
for image in "${@:-neo4j}"; do
    case $image in
        neo4j)
            mirror=
            if [ "$engine" = podman ] && [ -d "${KGDB_HOME:-$HOME/.local/share/kgdb}/jars/org/neo4j" ]; then
                mirror=file:///jars
            fi
            build --target neo4j --tag kgdb-neo4j --build-arg "KGDB_ARTIFACT_MIRROR=$mirror"
            ;;
        newest) build --target neo4j --tag kgdb-neo4j:newest --build-arg LOCK=newest ;;
        kgdb) build --target kgdb --tag kgdb ${KGDB_IMAGE_EXTRAS:+--build-arg EXTRAS="$KGDB_IMAGE_EXTRAS"} ;;
        *)
            echo "images.sh: '$image' is no image; expected neo4j, newest or kgdb." >&2
            exit 2
            ;;
    esac
done
