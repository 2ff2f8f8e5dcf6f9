#!/bin/sh
# Every published table and statement beside ours, with its verdict, on one page; numbers also as a figure, printed across and
# computed up: on the diagonal they agree.
# usage: reproduce.sh METAPATH OUTPUT_FOLDER [ID...]     writes OUTPUT_FOLDER/reproduce.html; without IDs all, also those that are
#                                                        simulated, which take minutes each
set -eu
case $1 in /*) metapath=$1 ;; */*) metapath=$(pwd)/$1 ;; *) metapath=$(command -v "$1") ;; esac
mkdir -p "$2/reproduce"
page=$(cd "$2" && pwd)/reproduce.html
cd "$2/reproduce"
shift 2
[ $# -gt 0 ] || set -- $("$metapath" reproduce --list -f csv | sed -n '2,$s/,.*//p')

# Rows of CSV as those of a table: cell, quantity, published, computed, verdict, reason.
rows() {
    awk 'function cut(line, out,   n, i, c, in_quotes) {
             n = 1; out[1] = ""
             for (i = 1; i <= length(line); i++) {
                 c = substr(line, i, 1)
                 if (c == "\"") in_quotes = !in_quotes
                 else if (c == "," && !in_quotes) out[++n] = ""
                 else out[n] = out[n] (c == "&" ? "&amp;" : c == "<" ? "&lt;" : c)
             }
             return n
         }
         { cut($0, f); tag = NR == 1 ? "th" : "td"
           printf "%s<tr>", NR == 1 ? "<table>\n" : ""
           if (NR > 1 && f[5] != "") f[5] = sprintf("%.6g", f[5])
           for (k = 2; k <= 9; k++) if (k != 6 && k != 8) printf "<%s>%s</%s>", tag, f[k], tag
           print "</tr>" }
         END { print "</table>" }'
}
escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }
cat > "$page.new" << 'END'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>metapath: published tables</title>
<style>
body { font: 16px/1.5 "DejaVu Sans", Verdana, sans-serif; color: #262626; max-width: 1100px; margin: 2em auto; padding: 0 1em }
img { max-width: 600px; border: 1px solid #ddd }
table { border-collapse: collapse; font-size: 13px }
th, td { text-align: left; vertical-align: top; padding: .15em .8em .15em 0; border-bottom: 1px solid #ddd }
</style>
</head>
<body>
<h1>Published tables, computed anew</h1>
END
for id in "$@"; do
    "$metapath" reproduce "$id" -o "$id.csv" -q
    {
        printf '<h2>%s</h2>\n<p>' "$id"
        "$metapath" help "$id" | sed -n '1s/^[^ ]* *//p' | escape
        printf '</p>\n'
        # of the columns, those with numbers on either side
        if "$metapath" plot "$id.csv" -k scatter -x published -y computed -g verdict -o "$id.svg" -q 2> /dev/null; then
            printf '<img alt="%s, printed across and computed up" src="data:image/svg+xml;base64,' "$id"
            base64 -w 0 "$id.svg"
            printf '">\n'
        fi
        rows < "$id.csv"
    } >> "$page.new"
    echo "$id"
done
printf '</body>\n</html>\n' >> "$page.new"
mv "$page.new" "$page"
echo "$page"
