# Completes command lines of dispo, which says itself how they may go on.
function __dispo_complete
    dispo complete -- (commandline --tokenize --cut-at-cursor --current-process)[2..] (commandline --current-token --cut-at-cursor) 2>/dev/null
end
complete --command dispo --condition 'test -n "$(__dispo_complete)"' --no-files --arguments '(__dispo_complete)'
