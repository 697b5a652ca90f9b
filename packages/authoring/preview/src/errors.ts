import { defineErrors, type ErrorTable } from '@vid/protocol'
import type { StatusTable } from '@vid/server'
import { previewPageErrors } from './page-errors.ts'

/** Errors of the preview. */
export const previewErrors = {
  ...previewPageErrors,
  VID_PREVIEW_EMPTY: (f: { dir: string }) => ({
    message: `There is no composition in ${f.dir}.`,
    hint: 'Name a folder with an HTML file that has an element with data-composition-id, data-width and data-height.',
    fault: 'caller',
  }),
  VID_PREVIEW_PORTS: (f: { from: number; to: number }) => ({
    message: `No port from ${f.from} to ${f.to} is free.`,
    hint: 'Stop a server that you no longer need, or choose another port with --port.',
    fault: 'machine',
  }),
  VID_PREVIEW_FILE: (f: { file: string }) => ({
    message: `"${f.file}" is not a file of the project.`,
    hint: 'Name a file inside the folder that is previewed, with forward slashes and no hidden folder.',
    fault: 'caller',
  }),
  VID_PREVIEW_ROWS: (f: { reason: string }) => ({
    message: `The rows are not JSON: ${f.reason}.`,
    hint: 'Give an array of objects, one for each video, or an object whose "rows" is one.',
    fault: 'caller',
  }),
  VID_PREVIEW_SOURCE: (f: { src: string; needs: string }) => ({
    message: `"${f.src}" has no ${f.needs} that can be decoded.`,
    hint: 'Check the file with ffprobe, or convert it to MP4 or WAV.',
    fault: 'caller',
  }),
  VID_PREVIEW_JOB: (f: { id: string }) => ({
    message: `There is no render "${f.id}".`,
    hint: 'The list of renders is kept until the preview ends.',
    fault: 'caller',
  }),
  VID_PREVIEW_IMPORT: (f: { path: string }) => ({
    message: `The page of a preview cannot import "${f.path}" from this machine.`,
    hint: 'Use vid edit media, which copies a file into the project.',
    fault: 'caller',
  }),
  VID_PREVIEW_UPLOAD: (f: { name: string }) => ({
    message: `"${f.name}" is not a video, a sound or a picture.`,
    hint: 'Convert it to MP4, WAV or PNG, or put it into the folder of the project yourself.',
    fault: 'caller',
  }),
  VID_PREVIEW_UPLOADS: (f: { bytes: number }) => ({
    message: `The files that were sent to this preview have more than ${f.bytes} bytes.`,
    hint: 'Write what is staged and start the preview again, or allow larger files with --max-upload.',
    fault: 'caller',
  }),
  VID_PREVIEW_ELEMENT: (f: { page: string }) => ({
    message: `The sources hold no element at "${f.page}" of the page.`,
    hint: 'A script or an embedded composition makes it: change it there, or give it an id.',
    fault: 'caller',
  }),
  VID_PREVIEW_VERSION: (_: object) => ({
    message: 'What is staged has changed since these operations were made.',
    hint: 'Read the elements again, and make the operations from what they are now.',
    fault: 'caller',
  }),
  VID_PREVIEW_OTHERS: (f: { who: string }) => ({
    message: `What was staged last in the open preview is by ${f.who}.`,
    hint: 'Ask the person at the preview to drop it.',
    fault: 'caller',
  }),
  VID_PREVIEW_NO_EDITOR: (_: object) => ({
    message: 'No editor is set.',
    hint: 'Set VISUAL or EDITOR to the command of your editor, or install the command "code".',
    fault: 'caller',
  }),
  VID_PREVIEW_EDITOR: (f: { program: string; reason: string }) => ({
    message: `The editor "${f.program}" did not start: ${f.reason}.`,
    hint: 'Set VISUAL or EDITOR to a command that can be started from a terminal.',
    fault: 'machine',
  }),
} as const satisfies ErrorTable

/** Makes the errors of this package. */
export const fail = defineErrors(previewErrors)

/** HTTP statuses that do not follow from the fault. */
export const previewStatuses: StatusTable = {
  VID_PREVIEW_FILE: 404,
  VID_PREVIEW_JOB: 404,
  VID_PREVIEW_VERSION: 409,
}
