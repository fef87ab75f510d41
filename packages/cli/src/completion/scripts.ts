/** The completion script of each shell. It asks `ccmcp completion candidates`. */
export const scripts = {
  bash: String.raw`# Completion of ccmcp in bash: source <(ccmcp completion bash)
_ccmcp() {
  local program="${'${'}COMP_WORDS[0]/#\~/$HOME}" line adds typed skip="" breaks="" number=0 word
  COMPREPLY=()
  for word in "=" ":" "@"; do
    case $COMP_WORDBREAKS in *"$word"*) breaks+=$word ;; esac
  done
  while IFS= read -r line; do
    number=$((number + 1))
    case $number in
      1) adds=$line ;;
      2)
        typed=$line
        # bash completes only what follows the last of these letters.
        [ -n "$breaks" ] && skip=${'${'}typed%"${'${'}typed##*[$breaks]}"}
        ;;
      *)
        word=${'${'}line%%$'\t'*}
        COMPREPLY+=("${'${'}word#"$skip"}")
        ;;
    esac
  done < <("$program" completion candidates --line "${'${'}COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [ "$adds" != none ]; then
    [ "${'${'}#COMPREPLY[@]}" -eq 0 ] && type compopt >/dev/null 2>&1 && compopt -o filenames +o nospace
    while IFS= read -r line; do
      [ -d "$line" ] && [ "${'${'}#COMPREPLY[@]}" -gt 0 ] && line+=/
      COMPREPLY+=("$line")
    done < <(if [ "$adds" = folders ]; then compgen -d -- "$typed"; else compgen -f -- "$typed"; fi)
  fi
}
complete -o nospace -F _ccmcp ccmcp
`,
  zsh: String.raw`#compdef ccmcp
# Completion of ccmcp in zsh: source <(ccmcp completion zsh), after compinit
_ccmcp() {
  local program="${'${'}words[1]/#\~/$HOME}" adds line
  local -a found closed open
  found=("${'${'}(@f)$("$program" completion candidates --words "${'${'}(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  adds=$found[1]
  for line in "${'${'}(@)found[3,-1]}"; do
    line=${'${'}line%%$'\t'*}
    if [[ $line == *' ' ]]; then closed+=("${'${'}line% }"); elif [[ -n $line ]]; then open+=("$line"); fi
  done
  (( $#closed )) && compadd -a closed
  (( $#open )) && compadd -S '' -a open
  [[ $adds == files ]] && _files
  [[ $adds == folders ]] && _files -/
  return 0
}
if [[ "$funcstack[1]" == "_ccmcp" ]]; then _ccmcp "$@"; else compdef _ccmcp ccmcp; fi
`,
  fish: String.raw`# Completion of ccmcp in fish: ccmcp completion fish | source
function __ccmcp_candidates
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    test (count $current) -eq 0; and set current ''
    set -l found ($before[1] completion candidates --words $before[2..-1] "$current" 2>/dev/null)
    for line in $found[3..-1]
        string replace -r ' (\t|$)' '$1' -- $line
    end
    switch "$found[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
    end
end
complete -c ccmcp -f -a '(__ccmcp_candidates)'
`,
} as const;
