import { defineErrors, type ErrorTable } from '@vid/kernel'

const did = (near: string | undefined, help: string) =>
  near === undefined ? `${help} lists what there is` : `did you mean ${near}? ${help} lists what there is`

/** Errors of the command itself. */
export const cliErrors = {
  VID_COMMAND_PACKAGE_MISSING: (f: { command: string; package: string }) => ({
    message: `"vid ${f.command}" comes with the package ${f.package}, which is not installed`,
    hint: `npm install ${f.package}`,
    fault: 'caller',
  }),
  VID_COMMAND_PACKAGE_VERSION: (f: { package: string; version: string; own: string; folder: string }) => ({
    message: `${f.package} in "${f.folder}" is version ${f.version}; this is vid ${f.own}`,
    hint: `install the version of this vid: npm install ${f.package}@${f.own}`,
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
} satisfies ErrorTable

export const fail = defineErrors(cliErrors)
