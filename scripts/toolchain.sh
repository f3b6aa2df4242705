#!/bin/sh
# Makes sure that what builds the Neo4j plugin is there: a JDK (17 or later) and Maven.
set -eu

if command -v javac >/dev/null && command -v mvn >/dev/null; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing OpenJDK 17 and Maven, which build the Neo4j plugin …"
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends openjdk-17-jdk-headless maven >/dev/null
    exit 0
fi
cat >&2 <<'TEXT'
Building kgdb's Neo4j plugin needs a JDK (17 or later) and Maven, and they are not both on the PATH.
  Debian, Ubuntu:  sudo apt-get install openjdk-17-jdk-headless maven
  Fedora:          sudo dnf install java-17-openjdk-devel maven
  macOS:           brew install openjdk@17 maven
Then run make again.
TEXT
exit 1
