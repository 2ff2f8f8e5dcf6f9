# Sourced by setup and tools. install_packages DIR NO_INSTALL PACKAGE...: installs Debian's packages as root or through sudo;
# where that may not be, says the exact command and fails.
install_packages() {
    dir=$1 no_install=$2
    shift 2
    if [ "$(id -u)" = 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root='sudo '; else as_root=no; fi
    if [ -n "$no_install" ] || [ "$as_root" = no ] || ! command -v apt-get >/dev/null; then
        echo "Something is missing. As root:" >&2
        echo "    apt-get update && apt-get install -y --no-install-recommends $*" >&2
        return 1
    fi
    echo "Installing what is missing: $*"
    ${as_root}apt-get update -q >"$dir/apt.log" 2>&1 &&
    ${as_root}env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$dir/apt.log" 2>&1 || {
        tail -n 5 "$dir/apt.log" >&2
        echo "Installing failed. The command was: ${as_root}apt-get install -y --no-install-recommends $*" >&2
        return 1
    }
}
