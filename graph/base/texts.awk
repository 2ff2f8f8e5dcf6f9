# KIND.text as C: of each section, KIND_NAME_TEXT, the fields of struct entry that it fills (graph/base/entry.h), and
# KIND_TEXTS(X), which is X(.name = "NAME", KIND_NAME_TEXT) for all. `entries` are the names that have a file
# KIND_NAME.c; empty: none needs one.
#
#   What stands above the first section is for who edits the file.
#   == NAME
#   The summary: one paragraph.
#
#   Notes: more paragraphs. Lines may break anywhere; those that begin with a blank stay as they are.
#
#   .FIELD its value, for other fields; .keys is the name of an array
BEGIN {
    kind = ARGV[1]; sub(".*/", "", kind); sub("[.]text$", "", kind)
    n = split(entries, word, " ")
    for (i = 1; i <= n; i++) has_file[word[i]] = 1
}
function macro(name) { gsub("-", "_", name); return toupper(kind "_" name) "_TEXT" }
function quoted(text) { gsub(/\\/, "&&", text); gsub(/"/, "\\\"", text); gsub("\n", "\\n", text); return "\"" text "\"" }
function complain(what) { print FILENAME ":" FNR ": " what > "/dev/stderr"; bad = 1; exit 1 }
function end_section() {
    if (name == "") return
    if (summary == "") complain("'" name "' has no summary")
    print "#define " macro(name) " .summary = " quoted(summary) (notes == "" ? "" : ", .notes = " quoted(notes)) fields
    all = all " X(.name = " quoted(name) ", " macro(name) ")"
}
/^== / {
    end_section()
    name = $2; summary = notes = fields = ""; paragraph = 1; fresh = 1; literal = 0
    if (n && !(macro_file(name) in has_file)) complain("there is no " kind "_" macro_file(name) ".c for '" name "'")
    if (name in seen) complain("'" name "' is here twice")
    seen[name] = 1
    next
}
function macro_file(name) { gsub("-", "_", name); return name }
name == "" { next }
/^[.][a-z]/ {
    field = $1; value = substr($0, length($1) + 2)
    fields = fields ", " field " = " (field == ".keys" ? value : quoted(value))
    next
}
/^$/ { paragraph += !fresh; fresh = 1; literal = 0; next }
{
    joint = fresh ? (paragraph > 2 ? "\n\n" : "") : literal || /^ / ? "\n" : " "
    literal = /^ /
    fresh = 0
    if (paragraph == 1) summary = summary joint $0
    else notes = notes joint $0
}
END {
    if (bad) exit 1
    end_section()
    print "#define " toupper(kind) "_TEXTS(X)" all
}
