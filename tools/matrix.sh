#!/bin/sh
# Runs the core and Sphinx tests on newer Pythons, with the newest versions of all dependencies. Each Python comes
# from a Debian suite, which is installed below build/matrix/.  Needs Debian, root and the network.
#
#   tools/matrix.sh            all suites
#   tools/matrix.sh trixie     one
set -eu
cd "$(dirname "$0")/.."
suites=${*:-trixie forky} # Python 3.13 and 3.14

[ "$(id -u)" = 0 ] || { echo "make matrix needs root: it installs a Debian for each Python." >&2; exit 1; }
command -v debootstrap >/dev/null || { apt-get -qq update && apt-get -qq install -y debootstrap >/dev/null; }

# the mirror that this machine uses
mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
[ -n "$mirror" ] || mirror=$(awk '$1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) { print $i; exit } }' /etc/apt/sources.list)

failed=
for suite in $suites; do
    root=build/matrix/$suite
    if [ ! -e "$root/.made" ]; then
        echo "== installing $root"
        rm -rf "$root"
        mkdir -p "$root"
        # a suite that this debootstrap does not know yet is installed with the script of trixie
        script=/usr/share/debootstrap/scripts/$suite
        [ -e "$script" ] || script=/usr/share/debootstrap/scripts/trixie
        debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates,git,make \
            "$suite" "$PWD/$root" "$mirror" "$script" >"$root.log" 2>&1 || { tail "$root.log" >&2; exit 1; }
        touch "$root/.made"
    fi
    # network access as on this machine: resolver, certificates, pip's settings
    cp /etc/resolv.conf "$root/etc/"
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/"

    # some tests open a terminal, and some measure memory
    mountpoint -q "$root/dev/pts" || mount -t devpts devpts "$root/dev/pts"
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    rm -rf "$root/src" "$root/venv"
    mkdir "$root/src"
    # the working tree without what git ignores
    git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
        tar --null --files-from=- -cf - | tar -xf - -C "$root/src"
    echo "== $suite: $(chroot "$root" python3 --version)"
    chroot "$root" sh -euc '
        python3 -m venv /venv
        /venv/bin/pip install --quiet --disable-pip-version-check hatchling editables
        /venv/bin/pip install --quiet --disable-pip-version-check --no-build-isolation -e "/src[all,dev]" -e /src/tests/ember
        /venv/bin/pip list 2>/dev/null | grep -iE "^(sphinx|docutils|myst-parser|lark|pytest) "
        cd /src
        /venv/bin/pytest -q -p no:cacheprovider --numprocesses logical --dist loadfile tests/core tests/sphinx tests/systems tests/conformance tests/compat
    ' || failed="$failed $suite"
    umount "$root/dev/pts" "$root/proc"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
