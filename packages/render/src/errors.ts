import { defineErrors, type ErrorTable, type VidError } from '@vid/kernel'
import { fileShortageText } from './open-files.ts'

/** Errors of turning settings into renders: outputs, lint, stills and batches. */
export const renderErrors = {
  VID_BATCH_UNREADABLE: (f: { path: string; reason: string }) => ({
    message: `the batch file "${f.path}" cannot be read: ${f.reason}`,
    hint: 'give --batch the path of a file with one JSON object for each video',
    fault: 'caller',
  }),
  VID_BATCH_TOO_LARGE: (f: { path: string; bytes: number; maxBytes: number }) => ({
    message: `the batch file "${f.path}" has ${f.bytes} bytes; at most ${f.maxBytes} are read`,
    hint: 'split it into several batches',
    fault: 'caller',
  }),
  VID_BATCH_JSON: (f: { path: string; reason: string }) => ({
    message: `the batch file "${f.path}" is not JSON: ${f.reason}`,
    hint: /\.(?:csv|tsv|xlsx?)$/i.test(f.path)
      ? 'convert the table to JSON: an array of objects, one for each row'
      : 'write an array of objects, one for each video',
    fault: 'caller',
  }),
  VID_BATCH_SHAPE: (f: { path: string; found: string | undefined }) => ({
    message: `the batch file "${f.path}" has ${f.found === undefined ? 'no rows' : `${f.found} where its rows should be`}`,
    hint: 'write an array of objects, or {"rows": [...]}',
    fault: 'caller',
  }),
  VID_BATCH_EMPTY: (f: { path: string }) => ({
    message: `the batch file "${f.path}" has no rows`,
    hint: 'write one object for each video',
    fault: 'caller',
  }),
  VID_BATCH_ROW: (f: { index: number; problem: string }) => ({
    message: `row ${f.index} cannot be rendered: ${f.problem}`,
    hint: 'correct the row, or the placeholders of --output; rows are counted from 0',
    fault: 'caller',
  }),
  VID_BATCH_FAILED: (f: { failed: number; total: number; manifestPath: string }) => ({
    message: `${f.failed} of ${f.total} rows failed`,
    hint: `${f.manifestPath} says which and why; the same command renders them again`,
    fault: 'render',
  }),
  VID_BATCH_RUNNING: (f: { manifestPath: string; holder: string }) => ({
    message: `another batch, ${f.holder}, is writing the manifest ${f.manifestPath}`,
    hint: 'wait until it has ended, or give this one a folder of its own with --output',
    fault: 'machine',
  }),
  VID_MANIFEST_UNWRITABLE: (f: { path: string; reason: string; finished?: number; total?: number }) => ({
    message: `the manifest ${f.path} cannot be written: ${f.reason}${f.finished ? `; ${f.finished} of ${f.total} videos are finished` : ''}`,
    hint: 'make room in the folder of the outputs, and make it writable; finished videos stay',
    fault: 'machine',
  }),
  VID_PARTS_TARGET: (f: { target: string }) => ({
    message: `a render on ${f.target} cannot be done in parts: that target takes requests whole`,
    hint: 'render it whole, or choose another target',
    fault: 'caller',
  }),
  VID_PARTS_PLAN: (f: { wanted: string; given: readonly string[] }) => ({
    message: `the settings ask for ${f.wanted}; the plans are for ${f.given.join(' and ') || 'nothing'}`,
    hint: 'join with the settings that the plans were made with',
    fault: 'caller',
  }),
  VID_PARTS_FILES: (f: { given: number; wanted: number }) => ({
    message: `${f.given} files were named where ${f.wanted} are needed`,
    hint: 'name one for each segment in order, and of each segment one for each output',
    fault: 'caller',
  }),
  VID_OUTPUT_TWICE: (f: { path: string; formats: readonly string[] }) => ({
    message: `${f.formats.join(' and ')} would both be written to ${f.path}`,
    hint: 'give each output a path of its own',
    fault: 'caller',
  }),
  VID_OUTPUT_NESTED: (f: { path: string; folder: string }) => ({
    message: `the output ${f.path} is inside ${f.folder}, another output, which is replaced as a whole`,
    hint: 'put the two beside each other',
    fault: 'caller',
  }),
  VID_OUTPUT_INPUT: (f: { path: string }) => ({
    message: `the output "${f.path}" is a file that this render reads`,
    hint: 'give the result another path',
    fault: 'caller',
  }),
  VID_OUTPUT_SOURCE: (f: { path: string; source: string }) => ({
    message: `the output "${f.path}" holds "${f.source}", which the composition shows`,
    hint: 'give the result another path, or replace the source with --force',
    fault: 'caller',
  }),
  VID_OUTPUT_EXISTS: (f: { path: string; found: string; format: string }) => ({
    message: `the output "${f.path}" is ${f.found}, not an earlier ${f.format}`,
    hint: 'give the result another path, or replace what is there with --force',
    fault: 'caller',
  }),
  VID_OUTPUT_RESERVED: (f: { path: string }) => ({
    message: `the output "${f.path}" is in the folder .vid, where finished segments are kept and removed`,
    hint: 'give the result a path outside of it',
    fault: 'caller',
  }),
  VID_OUTPUT_NAME: (f: { path: string; what: string; bytes: number; maxBytes: number }) => ({
    message: `the output "${f.path}" has ${f.what} of ${f.bytes} bytes; at most ${f.maxBytes} fit`,
    hint: 'shorten the name',
    fault: 'caller',
  }),
  VID_OUTPUT_SUFFIX: (f: { path: string; extension: string; known: readonly string[] }) => ({
    message: `the output "${f.path}" ends in .${f.extension}, which no encoder makes; known formats: ${[...new Set(f.known)].join(', ')}`,
    hint: 'end it in one of them, or choose the format with --format to keep the name as it is',
    fault: 'caller',
  }),
  VID_OUTPUT_KIND: (f: { path: string; found: 'a folder' | 'a file' | 'a device or a pipe'; format: string }) => ({
    message: `the output "${f.path}" is ${f.found}; ${f.format} makes ${f.found === 'a file' ? 'a folder' : 'a file'}`,
    hint:
      f.found === 'a device or a pipe'
        ? 'give the path of a file, since the result is written whole and moved into place; then send or remove that file'
        : 'give another path with --output',
    fault: 'caller',
  }),
  VID_OUTPUT_FOREIGN: (f: { path: string; foreign: string }) => ({
    message: `the output folder "${f.path}" holds "${f.foreign}", and a render replaces the whole folder`,
    hint: 'give a folder of its own with --output, new or with nothing but an earlier sequence in it; --force does not remove other files',
    fault: 'caller',
  }),
  VID_MANIFEST_FOREIGN: (f: { path: string; found: string }) => ({
    message: `the manifest of the batch would replace ${f.path}, which is ${f.found}`,
    hint: 'give the outputs another folder with --output, or replace it with --force',
    fault: 'caller',
  }),
  VID_NETWORK_LIMITED: (f: { setting: string; asked: string; limit: string }) => ({
    message: `${f.setting} ${f.asked} is not allowed here: pages may have fetched ${f.limit} at most`,
    hint: `leave ${f.setting} out, or put the files that the composition needs into its folder`,
    fault: 'caller',
  }),
  VID_LINT_STRICT: (f: { findings: readonly string[]; dir: string }) => ({
    message: `the composition has ${f.findings.length === 1 ? 'an error' : `${f.findings.length} errors`}: ${f.findings.join(' | ')}`,
    hint: `"vid lint ${f.dir}" says what to do about each; without --strict the render starts all the same`,
    final: true,
    fault: 'render',
  }),
  VID_SNAPSHOT_TIME: (f: { value: string; duration: number }) => ({
    message: `--at has "${f.value}", but the composition is ${f.duration} s long`,
    hint: `give times from 0s to ${f.duration}s, or from 0% to 100%`,
    fault: 'caller',
  }),
  VID_SNAPSHOT_FRAMES: (f: { wanted: number; frames: number }) => ({
    message: `--frames ${f.wanted} asks for more stills than the composition has frames, ${f.frames}`,
    hint: 'ask for fewer, or raise --fps',
    fault: 'caller',
  }),
  VID_SNAPSHOT_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `the still cannot be written to ${f.path}: ${f.reason}`,
    hint: 'check that the folder may be written to and has space; or choose another --output',
    final: true,
    fault: 'machine',
  }),
  VID_OPEN_FILES: fileShortageText,
  VID_UNEXPECTED: (f: { reason: string }) => ({
    message: `something failed unexpectedly: ${f.reason}`,
    hint: 'this is a bug: run again with VID_DEBUG=1 and report what it prints',
    fault: 'render',
  }),
  VID_SETTINGS_INVALID: (f: { errors: readonly VidError[] }) => ({
    message: f.errors.map(({ message }) => message).join(' | '),
    hint: [...new Set(f.errors.map(({ hint }) => hint))].join('; '),
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(renderErrors)

/** Throws what is wrong, as one error; `facts.errors` of it holds each. */
export const throwErrors = (errors: readonly VidError[]): void => {
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : fail('VID_SETTINGS_INVALID', { errors })
}
