import { basename } from 'node:path'
import { usageError } from '../../errors.ts'
import { quoteWord, startCommand } from '../../executable.ts'
import type { Invocation } from '../../parse/define.ts'

const isShell = (name: string): name is Shell => Object.hasOwn(completionScripts, name)

/** Prints the completion script of a shell; default: the login shell. */
export const runCompletion = async (
  { io, environment, options }: Invocation,
  { shell }: { shell?: string },
): Promise<void> => {
  const name = shell ?? basename(environment.shell ?? '')
  if (!isShell(name))
    throw usageError('The shell is unknown.', 'Name it: svc completion bash, zsh or fish')
  const script = completionScripts[name](startCommand().map(quoteWord).join(' '))
  if (options.json) io.printJson({ shell: name, script })
  else io.print(script)
}

type Shell = 'bash' | 'zsh' | 'fish'

/** Completion scripts by shell. `command` is the quoted command that starts svc. */
const completionScripts: Record<Shell, (command: string) => string> = {
  bash: (command) => `# Completion of svc for bash: eval "$(svc completion bash)"
_svc() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(${command} __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _svc svc`,

  zsh: (command) => `#compdef svc
# Completion of svc for zsh: source <(svc completion zsh)
_svc() {
  local line files
  local -a found
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(${command} __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe svc found
  [[ -n $files ]] && _files
}
compdef _svc svc`,

  fish: (command) => `# Completion of svc for fish: svc completion fish | source
function __svc_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    ${command} __complete -- $words[2..] "$last" 2>/dev/null
end
function __svc_wants_files
    contains -- :files (__svc_complete)
end
complete -c svc -f
complete -c svc -n __svc_wants_files -F
complete -c svc -a '(__svc_complete | string match -v -- :files)'`,
}
