import { defineErrors, didYouMean, type ErrorTable, type VidError } from '@vid/kernel'

const did = (near: string | undefined, help: string) =>
  near === undefined ? `${help} lists what there is` : `did you mean ${near}? ${help} lists what there is`

/** Errors of the command line itself: flags, variables and where the result goes. */
export const cliErrors = {
  VID_COMMAND_UNKNOWN: (f: { command: string; near: string | undefined }) => ({
    message: `there is no command "${f.command}"`,
    hint: did(f.near && `"vid ${f.near}"`, 'vid --help'),
    fault: 'caller',
  }),
  VID_FLAG_UNKNOWN: (f: { flag: string; command: string; near: string | undefined }) => ({
    message: `vid ${f.command} has no flag ${f.flag}`,
    hint: did(f.near, `vid ${f.command} --help`),
    fault: 'caller',
  }),
  VID_FLAG_INVALID: (f: { flag: string; value: string; rule: string; known?: readonly string[] }) => ({
    message: `${f.flag}; got "${f.value}"; expected ${f.rule}`,
    hint: `${didYouMean(f.value, f.known ?? [])}give ${f.flag} such a value, or leave it out`,
    fault: 'caller',
  }),
  VID_FLAG_CONFLICT: (f: { flags: readonly [string, string] }) => ({
    message: `${f.flags[0]} and ${f.flags[1]} cannot be combined`,
    hint: 'leave one of the two out',
    fault: 'caller',
  }),
  VID_FLAG_ALONE: (f: { flag: string; needs: string }) => ({
    message: `${f.flag} has no meaning without ${f.needs}`,
    hint: `add ${f.needs}, or leave ${f.flag} out`,
    fault: 'caller',
  }),
  VID_FLAGS_INVALID: (f: { errors: readonly VidError[] }) => ({
    message: f.errors.map(({ message }) => message).join(' | '),
    hint: [...new Set(f.errors.map(({ hint }) => hint))].join('; '),
    fault: 'caller',
  }),
  VID_USAGE: (f: { command: string; reason: string }) => ({
    message: `vid ${f.command}: ${f.reason}`,
    hint: `vid ${f.command} --help shows how it is written`,
    fault: 'caller',
  }),
  VID_VARIABLES_JSON: (f: { source: string; line: number; column: number; reason: string }) => ({
    message: `${f.source} is not JSON: ${f.reason} at line ${f.line}, column ${f.column}`,
    hint: `write an object such as {"title":"Hello"}, quoted for your shell`,
    fault: 'caller',
  }),
  VID_VARIABLES_NOT_OBJECT: (f: { source: string; found: string }) => ({
    message: `${f.source} holds ${f.found}; expected an object`,
    hint: 'write an object of values by variable id, such as {"title":"Hello"}',
    fault: 'caller',
  }),
  VID_VARIABLES_UNREADABLE: (f: { path: string; reason: string }) => ({
    message: `--variables-file "${f.path}" cannot be read: ${f.reason}`,
    hint: 'give the path of a JSON file, from the current folder',
    fault: 'caller',
  }),
  VID_VARIABLES_TOO_LARGE: (f: { source: string; bytes: number; maxBytes: number }) => ({
    message: `${f.source} has ${f.bytes} bytes; at most ${f.maxBytes} are read`,
    hint: 'give media as URLs or files, not inside a variable',
    fault: 'caller',
  }),
  VID_CONFIRM_MISSING: (f: { what: string }) => ({
    message: `${f.what} has to be confirmed, and there is no terminal to ask at`,
    hint: 'add --no-confirm',
    fault: 'caller',
  }),
  VID_CONFIRM_DECLINED: (f: { what: string }) => ({
    message: `${f.what} was not confirmed; nothing has changed`,
    hint: 'answer with y, or add --no-confirm',
    fault: 'caller',
  }),
  VID_RENDER_LEFT: (f: { renderId: string }) => ({
    message: `nobody waits here for the render ${f.renderId} any more; it goes on at the API`,
    hint: `"vid cloud get ${f.renderId}" shows it, and where its video is`,
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_BATCH_LINE: (f: { line: number; problem: string }) => ({
    message: `line ${f.line} of the batch cannot be rendered: ${f.problem}`,
    hint: 'correct the line; nothing has been started',
    fault: 'caller',
  }),
  VID_LAMBDA_BATCH_UNSTARTED: (f: { failed: number; total: number }) => ({
    message: `${f.failed} of ${f.total} renders could not be started`,
    hint: 'the rows say which and why; give their lines again in a batch of their own',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_ESTIMATE: (f: { problem: string; hint: string }) => ({
    message: `the cost cannot be estimated: ${f.problem}`,
    hint: f.hint,
    fault: 'caller',
  }),
  VID_LAMBDA_FETCH_LEFT: (f: { renderId: string; uri: string }) => ({
    message: `the result of the render ${f.renderId} was not fetched to its end`,
    hint: `it stays at ${f.uri}; "vid lambda progress ${f.renderId} --wait --output FILE" fetches it`,
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_RENDER_LEFT: (f: { renderId: string }) => ({
    message: `nobody waits here for the render ${f.renderId} any more; it goes on at AWS`,
    hint: `"vid lambda progress ${f.renderId} --wait" follows it again, "vid lambda stop ${f.renderId}" ends it`,
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_STACK_LEFT: (f: { stackName: string; command: string }) => ({
    message: `nobody waits here for the stack ${f.stackName} any more; CloudFormation goes on with it`,
    hint: `"${f.command}" again waits for it and finishes`,
    final: true,
    fault: 'machine',
  }),
  VID_KEY_MISSING: (f: { problem: string }) => ({
    message: `no API key was given: ${f.problem}`,
    hint: 'type it when asked, or pipe it, such as: vid auth login --api-key < key.txt',
    fault: 'caller',
  }),
  VID_KEY_ARGUMENT: (_: object) => ({
    message: 'an API key is never an argument: other programs of this machine can read those, and shells keep them',
    hint: 'revoke the key if others use this machine; then type it when "vid auth login --api-key" asks, or pipe it on stdin',
    fault: 'caller',
  }),
  VID_STDOUT_UNWRITABLE: (f: { reason: string }) => ({
    message: `the result could not be written to stdout: ${f.reason}`,
    hint: 'free space where stdout leads to, or lead it elsewhere; files that were rendered are complete',
    fault: 'machine',
  }),
  VID_SHELL_UNKNOWN: (f: { shell: string; near: string | undefined; known: readonly string[] }) => ({
    message: `vid completes nothing in the shell "${f.shell}"; known: ${f.known.join(', ')}`,
    hint: did(f.near && `"${f.near}"`, 'vid completion --help'),
    fault: 'caller',
  }),
  VID_PLUGIN_ROLE_UNKNOWN: (f: { role: string; near: string | undefined; known: readonly string[] }) => ({
    message: `there is no role "${f.role}"; known: ${f.known.join(', ')}`,
    hint: did(f.near && `"${f.near}"`, 'vid plugin create --help'),
    fault: 'caller',
  }),
  VID_PLUGIN_NAME_INVALID: (f: { name: string }) => ({
    message: `the name of a plugin; got "${f.name}"; expected lower-case words joined by hyphens`,
    hint: 'write it like "avif" or "@acme/avif"; the role and "vid-" are put before it',
    fault: 'caller',
  }),
  VID_INIT_TAKEN: (f: { folder: string; reason: string }) => ({
    message: `a project cannot be made in "${f.folder}": ${f.reason}`,
    hint: 'name a new or empty folder, such as my-video',
    fault: 'caller',
  }),
  VID_INIT_FOLDER: (f: { folder: string; reason: string }) => ({
    message: `the project cannot be made in "${f.folder}": ${f.reason}`,
    hint: 'choose another name, or run the command in another folder',
    final: true,
    fault: 'machine',
  }),
  VID_IMPORT_UNKNOWN: (f: { from: string; known: readonly string[] }) => ({
    message: `vid cannot import from "${f.from}"`,
    hint: `it imports from ${f.known.join(', ')}, such as: vid import hyperframes ../old-video`,
    fault: 'caller',
  }),
  VID_IMPORT_SOURCE: (f: { folder: string; reason: string }) => ({
    message: `"${f.folder}" cannot be imported: ${f.reason}`,
    hint: 'name the folder of the project, the one with its index.html',
    fault: 'caller',
  }),
  VID_IMPORT_PLACE: (f: { folder: string }) => ({
    message: `the new project cannot be "${f.folder}", inside the project that is imported`,
    hint: 'name a folder elsewhere, such as: vid import hyperframes . ../my-video',
    fault: 'caller',
  }),
  VID_PLUGIN_FOLDER: (f: { folder: string; reason: string }) => ({
    message: `the package cannot be made in "${f.folder}": ${f.reason}`,
    hint: 'choose another name, or run the command in another folder',
    final: true,
    fault: 'machine',
  }),
  VID_OIDC_CLIENT_MISSING: (f: { issuer: string }) => ({
    message: `the OpenID provider ${f.issuer} is to sign people in, but this server has no client there`,
    hint: 'register a client there, and set VID_OIDC_CLIENT_ID and VID_OIDC_CLIENT_SECRET',
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(cliErrors)
