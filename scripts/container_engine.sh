#!/bin/sh
# Makes sure that a container engine is there, or says that there is none and ends with 3.
#
# An engine that answers (Docker, or what DOCKER_HOST names) is used as it is. Where there is none and this
# is root on Debian, podman is installed and its service started; the line on standard output is the
# DOCKER_HOST that it answers at.
set -eu

if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
    echo "${DOCKER_HOST:-unix:///var/run/docker.sock}"
    exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "There is no container engine: start Docker, or podman's service, and set DOCKER_HOST." >&2
    exit 3
fi
if ! command -v podman >/dev/null || ! command -v crun >/dev/null; then
    echo "Installing podman, which runs the containers of the tests …" >&2
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends \
        podman runc crun netavark aardvark-dns iptables debootstrap >/dev/null 2>&1 || {
        echo "There is no container engine: podman cannot be installed." >&2
        exit 3
    }
fi
configuration=/etc/containers/containers.conf
if [ ! -e "$configuration" ]; then
    # As a machine that is itself a container allows it. A podman that was there may have crun alone.
    runtime=runc
    command -v runc >/dev/null || runtime=crun
    printf '%s\n' '[containers]' 'default_ulimits=["nofile=20000:20000","nproc=1000:1000"]' \
        '[network]' 'network_backend="netavark"' '[engine]' "runtime=\"$runtime\"" >"$configuration"
fi
socket=/run/podman/podman.sock
if ! podman --url "unix://$socket" info >/dev/null 2>&1; then
    mkdir -p "$(dirname "$socket")"
    rm -f "$socket"
    setsid podman system service --time=0 "unix://$socket" >/dev/null 2>&1 &
    for _ in $(seq 50); do
        [ -S "$socket" ] && break
        sleep 0.2
    done
fi
podman --url "unix://$socket" info >/dev/null 2>&1 || {
    echo "There is no container engine: podman is installed, but its service does not answer." >&2
    exit 3
}
echo "unix://$socket"
