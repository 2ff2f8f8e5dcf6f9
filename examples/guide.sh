#!/bin/sh
# The guide as one page: chapters, figures made anew, the reference made by the program. usage: guide.sh METAPATH OUTPUT_FOLDER
# guide.html needs pandoc; without it there are the chapters in Markdown.
set -eu
metapath=$1 out=$2
here=$(dirname "$0")
rm -rf "$out" && mkdir -p "$out"
sh "$here/readme_figures.sh" "$metapath" "$out/figures"
for chapter in "$here"/guide/*.md; do sed 's|(\.\./figures/|(figures/|g' "$chapter" > "$out/$(basename "$chapter")"; done
for page in '' $("$metapath" help --pages); do "$metapath" help --markdown $page; echo; done > "$out/reference.md"
"$metapath" help --markdown term > "$out/glossary.md"
if command -v pandoc > /dev/null; then
    cd "$out"
    # in the order of the contents, each once
    for chapter in README $(sed -n 's/.*/&\n/; s/[^(]*(\([a-z]*\)\.md)/\1\n/gp' README.md | grep -x '[a-z]\+' | awk '!seen[$0]++') reference glossary; do
        printf '<div id="%s"></div>\n\n' "$chapter"
        sed 's|(\([A-Za-z]*\)\.md)|(#\1)|g' "$chapter.md"
        echo
    done > all.md
    pandoc --standalone --self-contained --toc --toc-depth=2 --metadata title=metapath -f markdown-yaml_metadata_block -o guide.html all.md
    rm all.md
    echo "$out/guide.html"
else
    echo "$out: chapters in Markdown; pandoc, were it there, would make them one page"
fi
