# metapath: the only entry point. `make help` lists what can be asked of it.
SHELL   := /bin/sh
PREFIX  ?= /usr/local
DESTDIR ?=
O       ?= $(if $(SAN),out/build-$(CC)-san,out/build-$(CC))
VERSION := 0.1.0
RELEASED := 2026-11-23

# As many jobs as there are processors, unless -j says otherwise; several goals are made one after the other.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS))$(word 2,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(or $(shell nproc 2>/dev/null),1)
endif

ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wpedantic -Wconversion
PKGS    := igraph libpng cairo pangocairo fontconfig fftw3 jansson

# Expanded when a recipe runs: pkg-config may be installed by `deps` after this file was read.
pkg      = $(shell pkg-config $(1) $(PKGS) 2>/dev/null)
CPPFLAGS_ALL = -std=gnu2x -I. -I$(O) -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -DRELEASED='"$(RELEASED)"' \
               $(subst -I,-isystem ,$(call pkg,--cflags)) $(CPPFLAGS)
comma    := ,
SANITIZE := $(if $(SAN)$(FUZZED),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer) \
            $(if $(FUZZED),-fsanitize=fuzzer-no-link)
CFLAGS_ALL   = $(CFLAGS) $(WARN) -fopenmp -fno-math-errno $(SANITIZE)
LDLIBS_ALL   = $(call pkg,--libs) -lglpk -lm $(LDFLAGS)

SRC      := $(sort $(shell find graph model analysis render -name '*.c'))
CLI      := $(sort $(shell find cli -name '*.c'))
UNIT     := $(wildcard tests/unit/test_*.c)
BENCH    := $(wildcard tests/bench/*.c)
FUZZERS  := $(wildcard tests/fuzz/fuzz_*.c)
HELPERS  := $(wildcard tests/support/*.c)
OBJ      := $(patsubst %.c,$(O)/%.o,$(SRC) $(filter-out cli/main.c,$(CLI)))
MAIN     := $(O)/cli/main.o
UNITBIN  := $(UNIT:tests/unit/%.c=$(O)/tests/unit/%)
BENCHBIN := $(BENCH:tests/bench/%.c=$(O)/tests/bench/%)
FUZZBIN  := $(FUZZERS:tests/fuzz/%.c=$(O)/tests/fuzz/%)
HELPOBJ  := $(HELPERS:%.c=$(O)/%.o)
LIB      := $(O)/libmetapath.a
HELPLIB  := $(O)/libsupport.a
BIN      := $(O)/metapath

# A kind is the one file KIND.c that includes registry/KIND.inc: a list of every KIND_name.c beside it. registry/kinds.inc lists the kinds.
KINDUSE  := $(sort $(shell grep -o 'registry/[a-z_]*\.inc' $(SRC) $(CLI) | grep -v 'registry/kinds\.inc'))
KINDFILE := $(foreach u,$(KINDUSE),$(firstword $(subst :, ,$(u))))
KINDS    := $(patsubst registry/%.inc,%,$(foreach u,$(KINDUSE),$(lastword $(subst :, ,$(u)))))
$(foreach k,$(KINDS),$(if $(word 2,$(filter %:registry/$(k).inc,$(KINDUSE))),\
    $(error a registry belongs into one file: $(filter %:registry/$(k).inc,$(KINDUSE)))))
$(foreach u,$(KINDUSE),$(if $(filter %/$(patsubst registry/%.inc,%,$(lastword $(subst :, ,$(u)))).c,$(firstword $(subst :, ,$(u)))),,\
    $(error registry/KIND.inc belongs into a file KIND.c: $(u))))
REGISTRY := $(KINDS:%=$(O)/registry/%.inc) $(O)/registry/kinds.inc
kindfile  = $(filter %/$(1).c,$(KINDFILE))

# What entries say of themselves at length: a file KIND.text beside KIND.c, which the files KIND_NAME.c include as texts/KIND.h.
TEXTFILE := $(shell find graph model analysis render cli -name '*.text')
TEXTS    := $(patsubst %.text,$(O)/texts/%.h,$(notdir $(TEXTFILE)))
textfile  = $(filter %/$(1).text,$(TEXTFILE))
files     = $(patsubst $(2)_%.c,%,$(notdir $(wildcard $(1)$(2)_*.c)))
entries   = $(sort $(call files,$(1),$(2)) $(also_$(2)))

# Every process tree is a collective too: over_trees are those without a file of their own.
also_collective := $(call files,model/process/,tree)
over_trees      := $(filter-out $(call files,model/collective/,collective),$(also_collective))
TEXTS           += $(O)/texts/collective_trees.h $(O)/texts/report.h

.PHONY: all help deps demo gallery gallery-check guide check check-cluster check-ib check-mpi quick lines fuzz fuzzers bench fidelity reproduce install uninstall dist deb clean FORCE
all: out/metapath

help:
	@sed -n 's/^#: //p' Makefile

#: make            build out/metapath (set-up first where something is missing; -j1: one job at a time)
#: make deps       install what is missing (NO_INSTALL=1: only say what)
#: make demo       metapath statistics, latency, broadcast comparison and figures, in out/demo
#: make gallery    every kind of figure on real results, on one page: out/gallery.html
#: make gallery-check   those figures at the sizes of papers, measured: what is cut, unnamed, unexplained, too small
#: make guide      the guide as one page with its figures, and the reference: out/guide/guide.html (needs pandoc)
#: make check      every test (CC=clang, SAN=1 for the sanitizers; UPDATE=1 rewrites the expected outputs; ONLY=WORD those of a file,
#:                 room, command or page of that name)
#: make quick      what takes under a second, and the command lines of commands touched since the last commit
#: make check-cluster  a sweep by a Slurm array on this machine, whose packages it installs
#: make check-ib   fabrics against ibsim, ibnetdiscover and OpenSM, which it installs
#: make check-mpi  rules against Open MPI and MPICH, which it installs
#: make lines      lines of C by room, beside those of the last tag
#: make fuzz       bytes at random for every parser, then relations between answers of drawn networks (TIME=60 seconds each;
#:                 FUZZ=NAME only that of tests/fuzz/fuzz_NAME.c)
#: make bench      measurements, held against targets, and beside other programs where those are installed
#: make fidelity   the models of latency beside simulators, and the one here beside BookSim2, run by run (tests/fidelity)
#: make reproduce  the published tables, cell by cell, also those that are simulated (20 minutes); all on one page, out/reproduce.html
#: make install, uninstall   under PREFIX (/usr/local): program, man pages, completion, guide and examples
#: make dist, deb  out/metapath-VERSION.tar.gz of what is committed; a package for Debian in out/ (MAINTAINER="Name <mail>")
#: make clean      remove out/

# ---- set-up -------------------------------------------------------------------------------------------
deps:
	@CC='$(CC)' SANITIZE='$(SANITIZE)' sh tests/setup '$(O)' '$(NO_INSTALL)'

$(O)/.ready: tests/setup
	@CC='$(CC)' SANITIZE='$(SANITIZE)' sh tests/setup '$(O)' '$(NO_INSTALL)'

# ---- build --------------------------------------------------------------------------------------------
out/metapath: $(BIN) FORCE
	@ln -sf $(BIN:out/%=%) $@

# X(type, symbol, NAME) for every entry, X(KIND) for every kind; written anew only where they change.
renew = if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
list = { printf '\#define %s' '$(1)'; for n in $(2); do printf ' $(3)' "$$n"; done; echo; } > $@.new; $(renew)

$(O)/registry/kinds.inc: FORCE
	@mkdir -p $(@D)
	@$(call list,KINDS(X),$(KINDS),X(%s))

$(O)/registry/%.inc: FORCE
	@mkdir -p $(@D)
	@$(call list,KIND_ENTRIES(X$(comma) type$(comma) symbol),$(call entries,$(dir $(call kindfile,$*)),$*),X(type$(comma) symbol$(comma) %s))

# X(NAME, "name", its text), or where there is none that of the tree.
$(O)/texts/collective_trees.h: FORCE
	@mkdir -p $(@D)
	@{ printf '#define COLLECTIVE_TREES(X)'; for n in $(over_trees); do name=$$(echo $$n | tr _ -); \
	    grep -q "^== $$name$$" model/collective/collective.text && text=COLLECTIVE || text=TREE; \
	    printf ' X(%s, "%s", %s_%s_TEXT)' $$n $$name $$text $$(echo $$n | tr a-z A-Z); done; echo; } > $@.new
	@$(renew)

$(O)/texts/%.h: FORCE
	@mkdir -p $(@D)
	@awk -v entries='$(call entries,$(dir $(call textfile,$*)),$*)' -f graph/base/texts.awk $(call textfile,$*) > $@.new
	@$(renew)

# A page that is built in: its lines as strings.
$(O)/texts/report.h: cli/command/report.html
	@mkdir -p $(@D)
	@sed 's/[\\"]/\\&/g; s/.*/"&",/' $< > $@

$(O)/%.o: %.c $(O)/.ready | $(REGISTRY) $(TEXTS)
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $($*_FLAGS) -MMD -MP -c -o $@ $<

# --version names the libraries.
libraries = $(foreach p,$(PKGS),$(p) $(shell pkg-config --modversion $(p))$(comma)) GLPK \
            $(shell echo GLP_MAJOR_VERSION.GLP_MINOR_VERSION | $(CC) -E -P -include glpk.h - | tail -n 1 | tr -d ' ')
cli/request/options_FLAGS = -DLIBRARIES='"$(strip $(libraries))"'

# Where the installed program finds its data; a build tree is found beside the program itself.
cli/request/published_FLAGS = -DSHAREDIR='"$(PREFIX)/share/metapath"'
$(O)/cli/request/published.o: $(O)/prefix
$(O)/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' > $@

$(LIB): $(OBJ) Makefile
$(HELPLIB): $(HELPOBJ) Makefile
$(LIB) $(HELPLIB):
	@rm -f $@
	@ar rcsT $@ $(filter %.o,$^)

$(BIN): $(MAIN) $(LIB)
	$(QUIET)$(CC) $(CFLAGS_ALL) -o $@ $(MAIN) $(LIB) $(LDLIBS_ALL)

# A program of the tests is linked again where an object that it uses has changed: which these are, the linker tells.
$(O)/tests/%: $(O)/tests/%.o | $(HELPLIB) $(LIB)
	$(QUIET)$(CC) $(CFLAGS_ALL) -o $@ $< $(HELPLIB) $(LIB) $(WRAP) $(LDLIBS_ALL) -lcmocka -Wl,-t > $@.linked
	@sed -n 's|^$(O)/.*\.o$$|$@: &\n&:|p' $@.linked > $@.uses; rm $@.linked
-include $(UNITBIN:=.uses) $(BENCHBIN:=.uses)
$(foreach p,$(UNITBIN) $(BENCHBIN),$(if $(wildcard $(p).uses),,$(eval $(p): $(HELPLIB) $(LIB))))
$(O)/tests/unit/test_memory: WRAP := -Wl,--wrap=mem_need
$(O)/tests/unit/test_stop: WRAP := -Wl,--wrap=progress_tick
$(O)/tests/unit/test_stop_signals: WRAP := -Wl,--wrap=open
TAKES := malloc calloc realloc aligned_alloc strdup asprintf vasprintf open_memstream realpath fopen fdopen fftw_malloc
$(O)/tests/unit/test_alloc: WRAP := $(TAKES:%=-Wl,--wrap=%)

# A harness is driven by libFuzzer, or given its corpus once.
$(O)/tests/fuzz/fuzz_%: $(O)/tests/fuzz/fuzz_%.o $(O)/tests/fuzz/replay.o $(LIB)
	$(QUIET)$(CC) $(CFLAGS_ALL) $(if $(FUZZED),-fsanitize=fuzzer) -o $@ $< $(if $(FUZZED),,$(word 2,$^)) $(LIB) $(LDLIBS_ALL)

QUIET := $(if $(V),,@)
.SECONDARY:
-include $(OBJ:.o=.d) $(MAIN:.o=.d) $(UNITBIN:=.d) $(BENCHBIN:=.d) $(FUZZBIN:=.d) $(HELPOBJ:.o=.d)

# A registry that changed rebuilds the one file that includes it.
$(foreach k,$(KINDS),$(eval $(O)/$(basename $(call kindfile,$(k))).o: $(O)/registry/$(k).inc))
$(O)/cli/help/catalogue.o: $(O)/registry/kinds.inc

# ---- use ----------------------------------------------------------------------------------------------
demo: out/metapath
	@sh examples/demo.sh out/metapath out/demo

gallery: out/metapath
	@sh examples/gallery.sh out/metapath out $(GALLERY)

gallery-check: out/metapath $(O)/tests/unit/test_gallery
	@$(O)/tests/unit/test_gallery

guide: out/metapath
	@command -v pandoc > /dev/null || { . tests/install.sh; install_packages out '$(NO_INSTALL)' pandoc; } || true
	@sh examples/guide.sh '$(CURDIR)/out/metapath' out/guide

RUN_CHECK = O='$(O)' SAN='$(SAN)' UPDATE='$(UPDATE)' ONLY='$(ONLY)' QUICK='$(QUICK)' sh tests/check
ifdef ONLY
check: out/metapath
	@programs=$$(sh tests/only '$(O)' '$(ONLY)' | sed 's|\(.*\)\.c$$|$(O)/\1|'); \
	$(MAKE) --no-print-directory $$programs $(foreach f,$(FUZZBIN),$(if $(findstring $(ONLY),$(notdir $(f))),$(f))) out/metapath && $(RUN_CHECK) $$programs
else
check: out/metapath $(UNITBIN) $(BENCHBIN) $(FUZZBIN)
	@sh tests/tools '$(O)' '$(NO_INSTALL)'
	@$(RUN_CHECK) $(UNITBIN)
endif

# What took longer is not linked either.
quick: QUICK := 1
slow := $(shell awk '$$2 >= 1000 { print "$(O)/tests/unit/" $$1 }' out/check-times 2>/dev/null)
quick: out/metapath $(filter-out $(slow),$(UNITBIN))
	@$(RUN_CHECK) $(UNITBIN)

check-ib: out/metapath
	@sh tests/ib out/metapath '$(O)' '$(NO_INSTALL)'

check-cluster: out/metapath
	@sh tests/cluster

check-mpi: out/metapath
	@sh tests/mpi/check out/metapath '$(O)' '$(NO_INSTALL)'

lines:
	@sh tests/lines

TIME ?= 60
fuzz: $(O)/tests/unit/test_relations out/metapath
	@$(MAKE) --no-print-directory CC=clang FUZZED=1 O=out/build-fuzz fuzzers
	@RELATIONS=$(O)/tests/unit/test_relations sh tests/fuzz/run out/build-fuzz out/fuzz '$(TIME)' $(FUZZ)
	@sh tests/sweeps 100

fuzzers: $(FUZZBIN)

bench: out/metapath $(BENCHBIN)
	@O='$(O)' sh tests/bench/run $(BENCHBIN)

fidelity: $(O)/tests/bench/fidelity out/metapath
	@$< runs
	@out/metapath validate --show booksim --check
	@$< simulator

reproduce: out/metapath
	@out/metapath reproduce --check
	@out/metapath reproduce drb:6- --check --show summary
	@sh examples/reproduce.sh out/metapath out

# Pages for man, and what shells complete: made by the program of its own texts.
$(O)/man/metapath.1: $(BIN)
	@rm -rf $(@D) && mkdir -p $(@D)
	@for page in $$($(BIN) help --pages); do $(BIN) help --man $$page > $(@D)/metapath-$$page.1; done
	@mv $(@D)/metapath-specs.1 $(@D)/metapath.7
	@for shell in bash zsh fish; do $(BIN) help --completion $$shell > $(@D)/metapath.$$shell; done
	@$(BIN) help --man > $@

DATA := $(DESTDIR)$(PREFIX)/share
install: out/metapath $(O)/man/metapath.1
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DATA)/metapath' '$(DATA)/man/man1' '$(DATA)/man/man7' '$(DATA)/doc/metapath' \
	    '$(DATA)/bash-completion/completions' '$(DATA)/zsh/site-functions' '$(DATA)/fish/vendor_completions.d'
	install -m 755 $(BIN) '$(DESTDIR)$(PREFIX)/bin/metapath'
	install -m 644 $(O)/man/*.1 '$(DATA)/man/man1'
	install -m 644 $(O)/man/*.7 '$(DATA)/man/man7'
	install -m 644 $(O)/man/metapath.bash '$(DATA)/bash-completion/completions/metapath'
	install -m 644 $(O)/man/metapath.zsh '$(DATA)/zsh/site-functions/_metapath'
	install -m 644 $(O)/man/metapath.fish '$(DATA)/fish/vendor_completions.d/metapath.fish'
	cp -r examples/published '$(DATA)/metapath'
	cp -r README.md CHANGELOG.md CITATION.cff examples '$(DATA)/doc/metapath'
	rm -rf '$(DATA)/doc/metapath/examples/published'

uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/metapath' '$(DATA)/man/man1/metapath'*.1 '$(DATA)/man/man7/metapath.7' \
	    '$(DATA)/bash-completion/completions/metapath' '$(DATA)/zsh/site-functions/_metapath' \
	    '$(DATA)/fish/vendor_completions.d/metapath.fish'
	rm -rf '$(DATA)/metapath' '$(DATA)/doc/metapath'

# What is under version control, and what it becomes on Debian.
dist:
	@mkdir -p out
	git archive --prefix=metapath-$(VERSION)/ -o out/metapath-$(VERSION).tar.gz HEAD

deb:
	@$(MAKE) --no-print-directory -j$$(nproc) PREFIX=/usr O=out/build-deb out/build-deb/metapath
	@O=out/build-deb VERSION=$(VERSION) RELEASED=$(RELEASED) MAINTAINER='$(MAINTAINER)' sh tests/deb

clean:
	rm -rf out
