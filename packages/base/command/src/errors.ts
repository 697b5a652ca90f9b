import { defineErrors, didYouMean, type ErrorTable, nearest, type VidError } from '@vid/protocol'

const did = (near: string | undefined, help: string) =>
  `${near === undefined ? '' : `Did you mean ${near}? `}Run "${help}" for the list.`

/** Errors of a command line: commands, flags, variables and questions. */
export const commandErrors = {
  VID_COMMAND_UNKNOWN: (f: { command: string; near: string | undefined }) => ({
    message: `There is no command "${f.command}".`,
    hint: did(f.near && `"vid ${f.near}"`, 'vid --help'),
    fault: 'caller',
  }),
  VID_FLAG_UNKNOWN: (f: { flag: string; command: string; near: string | undefined }) => ({
    message: `"vid ${f.command}" has no flag ${f.flag}.`,
    hint: did(f.near, `vid ${f.command} --help`),
    fault: 'caller',
  }),
  VID_FLAG_INVALID: (f: { flag: string; value: string; rule: string; known?: readonly string[] }) => ({
    message: `${f.flag}; got "${f.value}"; expected ${f.rule}.`,
    hint: `${didYouMean(f.value, f.known ?? [])}Use ${f.rule}, or leave ${f.flag} out.`,
    fault: 'caller',
  }),
  VID_FLAG_CONFLICT: (f: { flags: readonly [string, string] }) => ({
    message: `${f.flags[0]} and ${f.flags[1]} cannot be combined.`,
    hint: 'Leave one of the two out.',
    fault: 'caller',
  }),
  VID_FLAG_ALONE: (f: { flag: string; needs: string }) => ({
    message: `${f.flag} requires ${f.needs}.`,
    hint: `Add ${f.needs}, or leave ${f.flag} out.`,
    fault: 'caller',
  }),
  VID_FLAGS_INVALID: (f: { errors: readonly VidError[] }) => ({
    message: f.errors.map(({ message }) => message).join(' | '),
    hint: [...new Set(f.errors.map(({ hint }) => hint))].join(' '),
    fault: 'caller',
  }),
  VID_USAGE: (f: { command: string; reason: string }) => ({
    message: `"vid ${f.command}" was called wrongly: ${f.reason}.`,
    hint: `Run "vid ${f.command} --help" for its usage.`,
    fault: 'caller',
  }),
  VID_VARIABLES_JSON: (f: { source: string; line: number; column: number; reason: string }) => ({
    message: `${f.source} is not JSON: ${f.reason} at line ${f.line}, column ${f.column}.`,
    hint: `Write an object such as {"title":"Hello"}, quoted for your shell.`,
    fault: 'caller',
  }),
  VID_VARIABLES_NOT_OBJECT: (f: { source: string; found: string }) => ({
    message: `${f.source} holds ${f.found}; expected an object.`,
    hint: 'Write an object of values by variable id, such as {"title":"Hello"}.',
    fault: 'caller',
  }),
  VID_VARIABLES_UNREADABLE: (f: { path: string; reason: string }) => ({
    message: `--variables-file "${f.path}" cannot be read: ${f.reason}.`,
    hint: 'Give the path of a JSON file, from the current folder.',
    fault: 'caller',
  }),
  VID_VARIABLES_TOO_LARGE: (f: { source: string; bytes: number; maxBytes: number }) => ({
    message: `${f.source} has ${f.bytes} bytes; at most ${f.maxBytes} are read.`,
    hint: 'Give media as URLs or files, not inside a variable.',
    fault: 'caller',
  }),
  VID_CONFIRM_MISSING: (f: { what: string }) => ({
    message: `${f.what} needs a confirmation, but there is no terminal for the prompt.`,
    hint: 'Add --no-confirm.',
    fault: 'caller',
  }),
  VID_CONFIRM_DECLINED: (f: { what: string }) => ({
    message: `${f.what} was not confirmed; nothing has changed.`,
    hint: 'Answer with y, or add --no-confirm.',
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(commandErrors)

/** The error of a word that no command begins with. */
export const unknownCommand = (command: string, names: readonly string[]): VidError =>
  fail('VID_COMMAND_UNKNOWN', { command, near: nearest(command, names) })
