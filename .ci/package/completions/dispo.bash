# Completes command lines of dispo, which says itself how they may go on.
_dispo() {
    local words=() word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do # bash takes --flag=value for three words
        [ "$word" = = ] || words+=("$word")
    done
    [ "${COMP_WORDS[COMP_CWORD]}" != = ] || words+=("")
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        COMPREPLY+=("$word")
    done < <(dispo complete -- "${words[@]}" 2>/dev/null)
}
complete -o default -F _dispo dispo
