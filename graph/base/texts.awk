# KIND.text as C: of each section, KIND_NAME_TEXT, the fields of struct entry that it fills (graph/base/entry.h);
# KIND_NAME_ENTRY, its .name and these; and KIND_TEXTS(X), which is X(KIND_NAME_ENTRY) for all. `entries` are the names
# that have a file KIND_NAME.c; empty: none needs one.
#
#   What stands above the first section is for who edits the file.
#   == NAME
#   The summary: one paragraph.
#
#   Notes: more paragraphs. Lines may break anywhere; those that begin with a blank stay as they are.
#
#   .FIELD its value, for other fields; .keys is the name of an array
#   .FIELD alone, and lines | TEXT: a value of these lines
#   : KEY VALUES what a key of its spec means; all of them are .keys. VALUES are one word. : MACRO stands for several
#   -- -LETTER OPTION=VALUES help: KIND_NAME_OPTION, the first members of struct option_field; no letter, no values: as it is
#   +FIELD its value, of a command's struct frame, as ? QUESTION and $ COMMAND, an example, are: KIND_NAME_FRAME. With +doc
#     the notes are what .doc has behind it
#   ! WORD TEXT | TEXT ...: KIND_NAME_WORD, these as strings, one after the other; ! WORD alone, and lines | TEXT: these lines
#   Lines behind these that begin with a blank go on with them.
BEGIN {
    kind = ARGV[1]; sub(".*/", "", kind); sub("[.]text$", "", kind)
    n = split(entries, word, " ")
    for (i = 1; i <= n; i++) has_file[word[i]] = 1
}
function under(name) { gsub("[-:.]", "_", name); return name }
function macro(name, what) { return toupper(under(kind "_" name)) "_" what }
function quoted(text) { gsub(/\\/, "&&", text); gsub(/"/, "\\\"", text); gsub("\n", "\\n", text); gsub("\v", "\\v", text); return "\"" text "\"" }
function complain(what) { print FILENAME ":" FNR ": " what > "/dev/stderr"; bad = 1; exit 1 }
function option(text,   letter, word, values) {
    letter = "0"
    if (text ~ /^-[A-Za-z] /) { letter = "'" substr(text, 2, 1) "'"; text = substr(text, 4) }
    word = text; sub(" .*", "", word)
    text = substr(text, length(word) + 2)
    values = "NULL"
    if (index(word, "=")) { values = quoted(substr(word, index(word, "=") + 1)); sub("=.*", "", word) }
    print "#define " toupper(under(kind "_" name "_" word)) " " quoted(word) ", " letter ", " values ", " quoted(text)
}
function key(text,   word, values) {
    if (text ~ /^[A-Z_]+$/) { keys = keys text ", "; return }
    word = values = text
    sub(" .*", "", word); values = substr(values, length(word) + 2); sub(" .*", "", values)
    keys = keys "{ " quoted(word) ", " quoted(values) ", " quoted(substr(text, length(word values) + 3)) " }, "
}
function strings(text,   word) {
    word = text; sub(" .*", "", word); text = quoted(substr(text, length(word) + 2)); gsub(/ [|] /, "\", \"", text)
    print "#define " macro(name, word) " " text
}
# The item that the last lines were.
function end_item(   field, value) {
    field = item; sub(" .*", "", field); value = substr(item, length(field) + 2)
    if (field == "--") option(value)
    else if (field == ":") key(value)
    else if (field == "!") strings(value)
    else if (field == "?") question = value
    else if (field == "$") examples = examples "{ " quoted(question) ", " quoted(value) " }, "
    else if (field == "+doc") doc = value
    else if (field ~ /^[+]/) frame = frame ", ." substr(field, 2) " = " quoted(value)
    else if (field != "") fields = fields ", " field " = " (field == ".keys" ? value : quoted(value))
    item = ""
}
function end_section(   text) {
    end_item()
    if (name == "") return
    if (summary == "") complain("'" name "' has no summary")
    if (doc != "") frame = frame ", .doc = " quoted(doc (notes == "" ? "" : "\v") notes)
    if (examples != "") frame = frame ", .example = { " examples "}"
    if (frame != "") print "#define " macro(name, "FRAME") " " substr(frame, 3)
    if (keys != "") fields = fields ", .keys = (const struct spec_key[]){ " keys "{ NULL, NULL, NULL } }"
    text = ".summary = " quoted(summary) (notes == "" || doc != "" ? "" : ", .notes = " quoted(notes)) fields
    print "#define " macro(name, "TEXT") " " text
    print "#define " macro(name, "ENTRY") " .name = " quoted(name) ", " macro(name, "TEXT")
    all = all " X(" macro(name, "ENTRY") ")"
}
/^== / {
    end_section()
    name = $2; summary = notes = fields = keys = frame = doc = examples = ""; paragraph = 1; fresh = 1; literal = 0
    if (n && !(under(name) in has_file)) complain("there is no " kind "_" under(name) ".c for '" name "'")
    if (name in seen) complain("'" name "' is here twice")
    seen[name] = 1
    next
}
name == "" { next }
item != "" && /^[|]/ { item = item (item ~ /^(! )?[^ ]+$/ ? " " : "") substr($0, 3) "\n"; next }
item != "" && /^ / { sub("^ *", ""); item = item " " $0; next }
{ end_item() }
/^[.+][a-z]/ || /^(--|[:?$!]) / { item = $0; next }
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
