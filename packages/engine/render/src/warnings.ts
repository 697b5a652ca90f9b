import { defineWarnings, type WarningTable } from '@vid/protocol'

/** Warnings about settings and outputs, and about work that is done again. */
export const renderWarnings = {
  VID_OUTPUT_MISNAMED: (f: { path: string; format: string; named: string; instead: string | undefined }) => ({
    message: `The output "${f.path}" will hold ${f.format}, not ${f.named}.`,
    hint:
      f.instead === undefined
        ? `Choose the format with --format ${f.named}, or another name.`
        : `Give it a name that ends in ${f.instead}.`,
  }),
  VID_FLAG_WITHOUT_EFFECT: (f: { setting: string; formats: readonly string[] }) => ({
    message: `${f.setting} has no effect on ${f.formats.join(' and ')}.`,
    hint: `Leave ${f.setting} out.`,
  }),
  VID_RENDER_RETRIED: (f: { reason: string }) => ({
    message: `Rendering again: ${f.reason}.`,
  }),
  VID_RENDER_OFF_GPU: (f: { reason: string }) => ({
    message: `Rendering everything again without the GPU: ${f.reason}.`,
    hint: 'Look for faults of its driver in the log of the system; --no-browser-gpu draws with the processor from the start.',
  }),
  VID_BATCH_SOURCE: (f: { message: string }) => ({
    message: f.message,
    hint: 'Correct the value, or put the file into the folder of the composition; --strict refuses such rows, and fetches addresses before the first is rendered.',
  }),
  VID_BATCH_COLUMN: (f: { message: string }) => ({
    message: f.message,
    hint: 'Map it with --batch-columns, name it in --output, or leave it out; --strict-variables refuses such columns.',
  }),
  VID_BATCH_UNFIT: (f: { message: string }) => ({
    message: f.message,
    hint: 'Correct the cell, or refuse such rows with --strict-variables; rows are counted as a spreadsheet shows them.',
  }),
  VID_ROW_RETRIED: (f: { row: string; reason: string }) => ({
    message: `${f.row} is rendered again: ${f.reason}.`,
  }),
} satisfies WarningTable

/** Creates the warnings of this package. */
export const renderWarning = defineWarnings(renderWarnings)
