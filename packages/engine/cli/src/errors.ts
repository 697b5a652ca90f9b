import { defineErrors, type ErrorTable } from '@vid/protocol'
import { packageOrigin } from '@vid/system/origin'

const did = (near: string | undefined, help: string) =>
  `${near === undefined ? '' : `Did you mean ${near}? `}Run "${help}" for the list.`

/** Errors of the command itself. */
export const cliErrors = {
  VID_COMMAND_PACKAGE_MISSING: (f: { command: string; package: string }) => ({
    message: `"vid ${f.command}" comes with the package ${f.package}, which is not installed.`,
    hint: `Run "${packageOrigin().install(f.package)}".`,
    fault: 'caller',
  }),
  VID_COMMAND_PACKAGE_VERSION: (f: { package: string; version: string; own: string; folder: string }) => ({
    message: `${f.package} in "${f.folder}" is version ${f.version}; this is vid ${f.own}.`,
    hint: `Run "${packageOrigin().install(`${f.package}@${f.own}`)}" to install the matching version.`,
    fault: 'caller',
  }),
  VID_TABLE_EMPTY: (f: { dir: string }) => ({
    message: `The composition in "${f.dir}" declares no variables, so a table of them has no columns.`,
    hint: 'Declare them in data-composition-variables of its <html>.',
    fault: 'caller',
  }),
  VID_TABLE_EXISTS: (f: { file: string }) => ({
    message: `"${f.file}" exists already.`,
    hint: 'Give another path with -o, or --force to replace it.',
    fault: 'caller',
  }),
  VID_TABLE_UNWRITABLE: (f: { file: string; reason: string }) => ({
    message: `The table "${f.file}" cannot be written: ${f.reason}.`,
    hint: 'Check that its folder exists, is writable and has space.',
    fault: 'machine',
  }),
  VID_STDOUT_UNWRITABLE: (f: { reason: string }) => ({
    message: `The result could not be written to stdout: ${f.reason}.`,
    hint: 'Free space at the target of stdout, or redirect it elsewhere; the rendered files are complete.',
    fault: 'machine',
  }),
  VID_SHELL_UNKNOWN: (f: { shell: string; near: string | undefined; known: readonly string[] }) => ({
    message: `There is no completion for the shell "${f.shell}"; known: ${f.known.join(', ')}.`,
    hint: did(f.near && `"${f.near}"`, 'vid completion --help'),
    fault: 'caller',
  }),
  VID_PLUGIN_ROLE_UNKNOWN: (f: { role: string; near: string | undefined; known: readonly string[] }) => ({
    message: `There is no role "${f.role}"; known: ${f.known.join(', ')}.`,
    hint: did(f.near && `"${f.near}"`, 'vid plugin create --help'),
    fault: 'caller',
  }),
  VID_PLUGIN_NAME_INVALID: (f: { name: string }) => ({
    message: `"${f.name}" is not a plugin name; expected lower-case words joined by hyphens.`,
    hint: 'Write it like "avif" or "@acme/avif"; vid adds "vid-" and the role in front.',
    fault: 'caller',
  }),
  VID_INIT_TAKEN: (f: { folder: string; reason: string }) => ({
    message: `A project cannot be made in "${f.folder}": ${f.reason}.`,
    hint: 'Name a new or empty folder, such as my-video.',
    fault: 'caller',
  }),
  VID_INIT_FOLDER: (f: { folder: string; reason: string }) => ({
    message: `The project cannot be made in "${f.folder}": ${f.reason}.`,
    hint: 'Choose another name, or run the command in another folder.',
    final: true,
    fault: 'machine',
  }),
  VID_IMPORT_UNKNOWN: (f: { from: string; known: readonly string[] }) => ({
    message: `There is no import from "${f.from}".`,
    hint: `Known sources: ${f.known.join(', ')}; for example "vid import hyperframes ../old-video".`,
    fault: 'caller',
  }),
  VID_IMPORT_SOURCE: (f: { folder: string; reason: string }) => ({
    message: `"${f.folder}" cannot be imported: ${f.reason}.`,
    hint: 'Name the folder of the project, the one with its index.html.',
    fault: 'caller',
  }),
  VID_IMPORT_PLACE: (f: { folder: string }) => ({
    message: `The new project cannot be "${f.folder}", inside the project that is imported.`,
    hint: 'Name a folder elsewhere, for example "vid import hyperframes . ../my-video".',
    fault: 'caller',
  }),
  VID_PLUGIN_FOLDER: (f: { folder: string; reason: string }) => ({
    message: `The package cannot be made in "${f.folder}": ${f.reason}.`,
    hint: 'Choose another name, or run the command in another folder.',
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(cliErrors)
