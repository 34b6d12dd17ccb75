# Sourced by mpjrun, mpjctl and mpjc: finds a JDK and gridmpj.jar. Sets java_home and jar, or says what to do and exits.
# Called with "root" set to the folder of the repository or of the distribution. POSIX sh.

needed_java=25

say() { printf 'gridmpj: %s\n' "$*" >&2; }

# Major version of the JDK in a folder, from its release file: no JVM is started for it. Empty if it is no JDK. Where nothing is
# compiled (runtime_does=yes), a runtime image without a compiler is one, too.
java_major() {
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 0
  [ -x "$1/bin/javac" ] || [ "${runtime_does:-}" = yes ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

fits() {
  [ -n "$1" ] || return 1
  found=$(java_major "$1")
  [ -n "$found" ] && [ "$found" -ge "$needed_java" ]
}

# The folder of the java on the PATH, behind its symbolic links.
path_java_home() {
  found_java=$(command -v java 2>/dev/null) || return 0
  found_java=$(readlink -f "$found_java" 2>/dev/null || printf '%s' "$found_java")
  dirname "$(dirname "$found_java")"
}

find_jdk() {
  java_home=
  if [ -n "${GRIDMPJ_JAVA_HOME:-}" ]; then
    if fits "$GRIDMPJ_JAVA_HOME"; then
      java_home=$GRIDMPJ_JAVA_HOME
      return 0
    fi
    say "GRIDMPJ_JAVA_HOME=$GRIDMPJ_JAVA_HOME holds no JDK of version $needed_java or later."
    exit 1
  fi
  for candidate in "${JAVA_HOME:-}" "$(path_java_home)" \
      /usr/lib/jvm/* /usr/java/* /opt/* /opt/*/jdk* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
      /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    if fits "$candidate"; then
      java_home=$candidate
      return 0
    fi
  done
  say "no JDK of version $needed_java or later was found (GRIDMPJ_JAVA_HOME, JAVA_HOME, PATH, the usual places)."
  say "Install one, e.g. Temurin $needed_java from https://adoptium.net, or"
  if command -v apt-get >/dev/null 2>&1; then
    say "  apt-get install openjdk-$needed_java-jdk-headless     (or temurin-$needed_java-jdk)"
  elif command -v dnf >/dev/null 2>&1; then
    say "  dnf install java-$needed_java-openjdk-devel"
  elif command -v brew >/dev/null 2>&1; then
    say "  brew install --cask temurin@$needed_java"
  else
    say "  curl -s https://get.sdkman.io | bash && sdk install java $needed_java-tem"
  fi
  say "or name one that is there: export GRIDMPJ_JAVA_HOME=/path/of/the/jdk"
  exit 1
}

# What gridmpj.jar is made of has changed since it was made.
outdated() {
  [ -f "$jar" ] || return 0
  # One search for all: each process that is started here is felt at the start of every job.
  set -- "$root/pom.xml"
  for part in core codec-kryo mpj-default transport-java transport-gridtcp capture checkpoint launcher deploy; do
    for source in "$root/$part/src/main" "$root/$part/src/build" "$root/$part/pom.xml"; do
      [ ! -e "$source" ] || set -- "$@" "$source"
    done
  done
  [ -n "$(find "$@" -type f -newer "$jar" 2>/dev/null | head -n 1)" ]
}

# One build at a time: a folder is made by one only. A lock whose owner is gone is void.
build() {
  lock="${TMPDIR:-/tmp}/gridmpj-build-$(id -u)-$(printf '%s' "$root" | cksum | cut -d' ' -f1)"
  waited=0
  until mkdir "$lock" 2>/dev/null; do
    owner=$(cat "$lock/pid" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -rf "$lock"
      continue
    fi
    [ "$waited" -eq 0 ] && say "waiting for another build of GridMPJ …"
    waited=$((waited + 1))
    if [ "$waited" -gt 600 ]; then
      say "the other build does not end; remove $lock if there is none"
      exit 1
    fi
    sleep 1
  done
  printf '%s' "$$" >"$lock/pid"
  trap 'rm -rf "$lock"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  if outdated; then
    if ! command -v mvn >/dev/null 2>&1; then
      say "Maven is needed to build GridMPJ from its sources: install it (e.g. apt-get install maven), version 3.8.7 or later"
      exit 1
    fi
    say "building GridMPJ (once, and after changes of its sources; about a minute) …"
    log="$lock/log"
    if ! (cd "$root" && JAVA_HOME=$java_home mvn -q --batch-mode --no-transfer-progress -Dquick -DskipTests \
        -Dmaven.test.skip=true -Dspotless.check.skip=true \
        -pl deploy -am package) >"$log" 2>&1; then
      cat "$log" >&2
      say "the build has failed: see above"
      exit 1
    fi
    touch "$jar"
  fi
  rm -rf "$lock"
  trap - EXIT INT TERM
}

find_jdk
if [ -f "$root/lib/gridmpj.jar" ]; then
  jar=$root/lib/gridmpj.jar
else
  jar=$root/deploy/target/gridmpj.jar
  if outdated; then
    build
  fi
fi
draft_jar=$(dirname "$jar")/gridmpj-mpj.jar

cache_root() {
  if [ -n "${GRIDMPJ_CACHE_DIR:-}" ]; then
    printf '%s' "$GRIDMPJ_CACHE_DIR"
  elif [ -n "${XDG_CACHE_HOME:-}" ]; then
    printf '%s/gridmpj' "$XDG_CACHE_HOME"
  elif [ "$(uname)" = Darwin ]; then
    printf '%s/Library/Caches/gridmpj' "$HOME"
  else
    printf '%s/.cache/gridmpj' "$HOME"
  fi
}

# Runs the launcher's command $1 with the other arguments; this shell becomes it, so signals reach it.
launch() {
  # an agent lives long and encrypts what others wait for: it wants all compilers, the others a quick start
  tiers=1
  [ "$1" != mpjagent ] || tiers=4
  startup=$(cache_root)/startup/$(printf '%s\n%s\n' "$java_home" "$jar" | cksum | cut -d' ' -f1)
  if [ -f "$startup/launcher.aot" ]; then
    set -- "-XX:AOTCache=$startup/launcher.aot" -Xlog:aot=off -Xlog:cds=off --main-- "$@"
  else
    set -- --main-- "$@"
  fi
  # the options before --main-- go to the JVM: one pass turns the list round without losing blanks in words
  options=$#
  before=1
  while [ "$options" -gt 0 ]; do
    word=$1
    shift
    options=$((options - 1))
    if [ "$before" -eq 1 ] && [ "$word" = --main-- ]; then
      before=0
      set -- "$@" -XX:+UseSerialGC "-XX:TieredStopAtLevel=$tiers" -XX:-UsePerfData --enable-native-access=ALL-UNNAMED \
        "-Dslf4j.internal.verbosity=ERROR" "-Dgridmpj.startup=$startup" -cp "$jar" org.gridmpj.launcher.LauncherMain
    else
      set -- "$@" "$word"
    fi
  done
  exec "$java_home/bin/java" "$@"
}
