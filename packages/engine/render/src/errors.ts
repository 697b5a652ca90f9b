import { defineErrors, type ErrorTable, TIMES_RULE, type VidError } from '@vid/protocol'
import { fileShortageText } from './open-files.ts'
import { countedText, type RowCounting, rowsText, sentence } from './row-words.ts'

/** Errors of turning settings into renders: outputs, lint, stills and batches. */
export const renderErrors = {
  VID_BATCH_UNREADABLE: (f: { path: string; reason: string }) => ({
    message: `The batch file "${f.path}" cannot be read: ${f.reason}.`,
    hint: 'Give --batch the path of a file with one JSON object for each video.',
    fault: 'caller',
  }),
  VID_BATCH_TOO_LARGE: (f: { path: string; bytes: number; maxBytes: number }) => ({
    message: `The batch file "${f.path}" has ${f.bytes} bytes; at most ${f.maxBytes} are read.`,
    hint: 'Split it into several batches.',
    fault: 'caller',
  }),
  VID_BATCH_JSON: (f: { path: string; reason: string }) => ({
    message: `The batch file "${f.path}" is not JSON: ${f.reason}.`,
    hint: 'Write an array of objects, one for each video.',
    fault: 'caller',
  }),
  VID_BATCH_FORMAT: (f: { path: string; what: string }) => ({
    message: `The batch file "${f.path}" is ${f.what}, not a table or JSON.`,
    hint: 'Save it as CSV in UTF-8: File, Save as or Download in a spreadsheet.',
    fault: 'caller',
  }),
  VID_BATCH_TABLE: (f: { path: string; reason: string }) => ({
    message: `The table "${f.path}" cannot be read: ${f.reason}.`,
    hint: 'Put a cell with quotes in it in quotes, and write each of its own quotes twice.',
    fault: 'caller',
  }),
  VID_BATCH_HEADINGS: (f: { path: string; headings: readonly string[]; variables: readonly string[] }) => ({
    message: `No heading of "${f.path}" is a variable: its headings are ${f.headings.slice(0, 12).join(', ')}, and the variables are ${f.variables.join(', ') || 'none'}.`,
    hint: 'Let the first row hold the names of variables, or map headings to them with --batch-columns "Full name=name".',
    fault: 'caller',
  }),
  VID_BATCH_COLUMNS: (f: { problem: string; known: readonly string[]; near: string | undefined }) => ({
    message: `The columns cannot be used: ${f.problem}.`,
    hint:
      f.near === undefined
        ? `Give --batch-columns as "Heading=variable", several with commas${f.known.length > 0 ? `; there are ${f.known.slice(0, 20).join(', ')}` : ''}.`
        : `Did you mean "${f.near}"?`,
    fault: 'caller',
  }),
  VID_BATCH_MANY: (f: { path: string; rows: number; maxRows: number }) => ({
    message: `The batch file "${f.path}" has ${f.rows} rows; at most ${f.maxRows} are rendered at once.`,
    hint: 'Split it into several batches, or give the rows to renderBatch of @vid/render one after another.',
    fault: 'caller',
  }),
  VID_BATCH_CHOICE: (f: { problem: string }) => ({
    message: `No rows are left to render: ${f.problem}.`,
    hint: 'Count rows as messages and the manifest do: those of a table as the spreadsheet shows them.',
    fault: 'caller',
  }),
  VID_BATCH_SHAPE: (f: { path: string; found: string | undefined }) => ({
    message: `The batch file "${f.path}" has ${f.found === undefined ? 'no rows' : `${f.found} instead of rows`}.`,
    hint: 'Write an array of objects, or {"rows": [...]}.',
    fault: 'caller',
  }),
  VID_BATCH_EMPTY: (f: { path: string }) => ({
    message: `The batch file "${f.path}" has no rows.`,
    hint: 'Write one object for each video.',
    fault: 'caller',
  }),
  VID_ROW_STOPPED: (f: { row: string }) => ({
    message: `${f.row} was stopped where it is rendered.`,
    hint: 'Find out what stopped it there, such as the end of its container, and render it again with --only-failed.',
    fault: 'machine',
  }),
  VID_BATCH_ROW: (f: { rows: readonly number[]; problem: string; counted: RowCounting }) => ({
    message: `${sentence(rowsText('row', f.rows))} cannot be rendered: ${f.problem}.`,
    hint: `Correct ${f.rows.length === 1 ? 'the row' : 'these rows'}, or the placeholders of --output; ${countedText[f.counted]}.`,
    fault: 'caller',
  }),
  VID_BATCH_CELL: (f: { place: string; problem: string }) => ({
    message: `${f.place}: ${f.problem}.`,
    hint: 'Correct the cell; rows are counted as a spreadsheet shows them, with the headings in row 1.',
    fault: 'caller',
  }),
  VID_BATCH_VALUE: (f: { message: string; counted: RowCounting }) => ({
    message: f.message,
    hint: `Correct the values, or leave out --strict-variables; ${countedText[f.counted]}.`,
    fault: 'caller',
  }),
  VID_BATCH_REST: (f: { more: number }) => ({
    message: `${f.more} more ${f.more === 1 ? 'mistake' : 'mistakes'} in the batch.`,
    hint: 'Correct those above first, or run again with --json, which lists all.',
    fault: 'caller',
  }),
  VID_BATCH_FAILED: (f: { failed: number; total: number; hasShapes: boolean; manifestPath: string }) => ({
    message: `${f.failed} of ${f.total} ${f.hasShapes ? 'videos' : 'rows'} failed.`,
    hint: `See ${f.manifestPath} for the reasons; run the same command again to retry them.`,
    fault: 'render',
  }),
  VID_BATCH_RUNNING: (f: { manifestPath: string; holder: string }) => ({
    message: `Another batch, ${f.holder}, is writing the manifest ${f.manifestPath}.`,
    hint: 'Wait until it ends, or give this batch another folder with --output.',
    fault: 'machine',
  }),
  VID_MANIFEST_UNWRITABLE: (f: { path: string; reason: string; finished?: number; total?: number }) => ({
    message: `The manifest ${f.path} cannot be written: ${f.reason}${f.finished ? `; ${f.finished} of ${f.total} videos are finished` : ''}.`,
    hint: 'Free space in the output folder, and make it writable; finished videos stay.',
    fault: 'machine',
  }),
  VID_SHAPES_SEVERAL: (f: { shapes: readonly string[] }) => ({
    message: `One shape is rendered here; ${f.shapes.join(', ')} were requested.`,
    hint: 'Name one of them; several at once are a job of vid render, without --serve.',
    fault: 'caller',
  }),
  VID_SHAPES_RESOLUTION: (f: { resolution: string; shapes: readonly string[] }) => ({
    message: `A picture of ${f.resolution} does not have the shapes ${f.shapes.join(', ')}.`,
    hint: 'Use --scale, which every shape can have.',
    fault: 'caller',
  }),
  VID_SHAPES_FAILED: (f: { failed: readonly string[]; total: number }) => ({
    message: `${f.failed.length} of ${f.total} shapes failed: ${f.failed.join(', ')}.`,
    hint:
      f.failed.length < f.total
        ? 'The reason of each is above, and the videos of the others are kept; run the same command again to retry.'
        : 'The reason of each is above; run the same command again to retry.',
    fault: 'render',
  }),
  VID_DELIVERY_TWICE: (f: { delivery: string; place: string; outputs: readonly [string, string] }) => ({
    message: `${f.delivery} would bring ${f.outputs[0]} and ${f.outputs[1]} to the same place, ${f.place}.`,
    hint: 'Let its place contain the name of the output, such as {name} in the key of an object, and give each output another name.',
    fault: 'caller',
  }),
  VID_PARTS_TARGET: (f: { target: string }) => ({
    message: `A render on ${f.target} cannot be split into parts: that target takes whole requests.`,
    hint: 'Render it whole, or choose another target.',
    fault: 'caller',
  }),
  VID_PARTS_PLAN: (f: { wanted: string; given: readonly string[] }) => ({
    message: `The settings request ${f.wanted}, but the plans are for ${f.given.join(' and ') || 'nothing'}.`,
    hint: 'Join with the settings of the plans.',
    fault: 'caller',
  }),
  VID_PARTS_FILES: (f: { given: number; wanted: number }) => ({
    message: `${f.given} files were named, but ${f.wanted} are needed.`,
    hint: 'For each segment in order, name one file for each output.',
    fault: 'caller',
  }),
  VID_OUTPUT_TWICE: (f: { path: string; formats: readonly string[] }) => ({
    message: `${f.formats.join(' and ')} would both be written to ${f.path}.`,
    hint: 'Give each output a separate path.',
    fault: 'caller',
  }),
  VID_CAPTIONS_UNCARRIED: (f: { formats: readonly string[]; able: readonly string[] }) => ({
    message: `${f.formats.join(' and ')} cannot have captions as text tracks.`,
    hint: `Render ${f.able.join(', ') || 'another format'}, or write them beside the video with --captions sidecar.`,
    fault: 'caller',
  }),
  VID_CODEC_FORMAT: (f: { codec: string; formats: readonly string[] }) => ({
    message: `The codec of ${f.formats.join(' and ')} cannot be chosen; got ${f.codec}.`,
    hint: 'Render mp4 or hls, or leave the codec out: webm is VP9, and mov is ProRes.',
    fault: 'caller',
  }),
  VID_LADDER_FORMAT: (f: { formats: readonly string[] }) => ({
    message: `A ladder of sizes cannot be rendered as ${f.formats.join(' and ')}.`,
    hint: 'Render hls, or leave the ladder out.',
    fault: 'caller',
  }),
  VID_OUTPUT_NESTED: (f: { path: string; folder: string }) => ({
    message: `The output ${f.path} is inside ${f.folder}, another output, which is replaced as a whole.`,
    hint: 'Put the two outputs beside each other.',
    fault: 'caller',
  }),
  VID_OUTPUT_INPUT: (f: { path: string }) => ({
    message: `The output "${f.path}" is a file that this render reads.`,
    hint: 'Give the result another path.',
    fault: 'caller',
  }),
  VID_OUTPUT_SOURCE: (f: { path: string; source: string }) => ({
    message: `The output "${f.path}" holds "${f.source}", which the composition shows.`,
    hint: 'Give the result another path, or replace the source with --force.',
    fault: 'caller',
  }),
  VID_OUTPUT_EXISTS: (f: { path: string; found: string; format: string }) => ({
    message: `The output "${f.path}" is ${f.found}, not an earlier ${f.format}.`,
    hint: 'Give the result another path, or replace the existing one with --force.',
    fault: 'caller',
  }),
  VID_OUTPUT_RESERVED: (f: { path: string }) => ({
    message: `The output "${f.path}" is in the folder .vid, where finished segments are kept and removed.`,
    hint: 'Give the result a path outside of it.',
    fault: 'caller',
  }),
  VID_OUTPUT_NAME: (f: { path: string; what: string; bytes: number; maxBytes: number }) => ({
    message: `The output "${f.path}" has ${f.what} of ${f.bytes} bytes; at most ${f.maxBytes} fit.`,
    hint: 'Shorten the name.',
    fault: 'caller',
  }),
  VID_OUTPUT_SUFFIX: (f: { path: string; extension: string; known: readonly string[] }) => ({
    message: `The output "${f.path}" ends in .${f.extension}, which no encoder makes; known formats: ${[...new Set(f.known)].join(', ')}.`,
    hint: 'Use one of these extensions, or set --format to keep the name.',
    fault: 'caller',
  }),
  VID_OUTPUT_KIND: (f: { path: string; found: 'a folder' | 'a file' | 'a device or a pipe'; format: string }) => ({
    message: `The output "${f.path}" is ${f.found}; ${f.format} makes ${f.found === 'a file' ? 'a folder' : 'a file'}.`,
    hint:
      f.found === 'a device or a pipe'
        ? 'Give the path of a file, because vid writes the result and then moves it into place; send or remove that file afterwards.'
        : 'Give another path with --output.',
    fault: 'caller',
  }),
  VID_OUTPUT_FOREIGN: (f: { path: string; foreign: string }) => ({
    message: `The output folder "${f.path}" holds "${f.foreign}", and a render replaces the whole folder.`,
    hint: 'Give --output a new folder, or one that holds only an earlier sequence; --force does not remove other files.',
    fault: 'caller',
  }),
  VID_MANIFEST_FOREIGN: (f: { path: string; found: string }) => ({
    message: `The manifest of the batch would replace ${f.path}, which is ${f.found}.`,
    hint: 'Give the outputs another folder with --output, or replace it with --force.',
    fault: 'caller',
  }),
  VID_NETWORK_LIMITED: (f: { setting: string; asked: string; limit: string }) => ({
    message: `${f.setting} ${f.asked} is not allowed here: the limit for pages is "${f.limit}".`,
    hint: `Leave ${f.setting} out, or put the files that the composition needs into its folder.`,
    fault: 'caller',
  }),
  VID_LINT_STRICT: (f: { findings: readonly string[]; errors: number; dir: string }) => ({
    message: `The composition has ${f.errors === 1 ? 'an error' : `${f.errors} errors`}: ${[...f.findings, ...(f.errors > f.findings.length ? [`and ${f.errors - f.findings.length} more`] : [])].join(' | ')}.`,
    hint: `"vid lint ${f.dir}" explains how to fix each one; without --strict the render starts anyway.`,
    final: true,
    fault: 'render',
  }),
  VID_SNAPSHOT_TIME: (f: { value: string; duration: number }) => ({
    message: `--at has "${f.value}", but the composition is ${f.duration} s long.`,
    hint: `Give times from 0s to ${f.duration}s, or from 0% to 100%.`,
    fault: 'caller',
  }),
  VID_SNAPSHOT_TIMES: (f: { value: string }) => ({
    message: `--at has "${f.value}", which does not consist of times.`,
    hint: `Give ${TIMES_RULE}.`,
    fault: 'caller',
  }),
  VID_SNAPSHOT_FRAMES: (f: { wanted: number; frames: number }) => ({
    message: `--frames ${f.wanted} asks for more stills than the composition has frames, ${f.frames}.`,
    hint: 'Request fewer, or raise --fps.',
    fault: 'caller',
  }),
  VID_SNAPSHOT_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `The still cannot be written to ${f.path}: ${f.reason}.`,
    hint: 'Check that the folder is writable and has space, or choose another --output.',
    final: true,
    fault: 'machine',
  }),
  VID_OPEN_FILES: fileShortageText,
  VID_UNEXPECTED: (f: { reason: string }) => ({
    message: `Something failed unexpectedly: ${f.reason}.`,
    hint: 'This is a bug: run again with VID_DEBUG=1 and report what it prints.',
    fault: 'render',
  }),
  VID_SETTINGS_INVALID: (f: { errors: readonly VidError[] }) => ({
    message: f.errors.map(({ message }) => message).join(' | '),
    hint: [...new Set(f.errors.map(({ hint }) => hint))].join(' '),
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(renderErrors)

/** Throws what is wrong, as one error; `facts.errors` of it holds each. */
export const throwSettingErrors = (errors: readonly VidError[]): void => {
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : fail('VID_SETTINGS_INVALID', { errors })
}
