import { defineErrors, describeCause, type ErrorTable } from '@vid/protocol'

/** A list for a message, the first of many. */
const listed = (items: readonly string[], max = 5): string =>
  items.length > max ? `${items.slice(0, max).join(', ')} and ${items.length - max} more` : items.join(', ')

/** Errors of edits. */
export const editErrors = {
  VID_EDIT_OPERATION: (f: { index: number; problems: readonly string[] }) => ({
    message: `Operation ${f.index + 1} is not valid: ${f.problems.join('; ')}.`,
    hint: 'OperationSchema of @vid/edit and docs/edit.md describe each operation.',
    fault: 'caller',
  }),
  VID_EDIT_NOT_FOUND: (f: { target: string; near: readonly string[] }) => ({
    message: `The sources have no element ${f.target}.`,
    hint:
      f.near.length > 0
        ? `Similar ids: ${listed(f.near)}.`
        : 'Give the id of an element, as in "#title", or its place, as in "index.html:12".',
    fault: 'caller',
  }),
  VID_EDIT_AMBIGUOUS: (f: { target: string; places: readonly string[] }) => ({
    message: `${f.target} stands for ${f.places.length} elements: ${listed(f.places)}.`,
    hint: 'Name the file, as in "scene.html#title", or give the place of the element.',
    fault: 'caller',
  }),
  VID_EDIT_SCRIPTED: (f: { target: string; place: string }) => ({
    message: `${f.target} is made by ${f.place} when the page runs.`,
    hint: 'Change it there; the sources hold no element that an edit could change.',
    fault: 'caller',
  }),
  VID_EDIT_STALE: (f: { target: string; file: string; digest: string }) => ({
    message: `${f.target} is a place in another version of ${f.file}.`,
    hint: `Look whether it is still the element that you mean; then leave the digest out, or give that of the file now: ${f.digest}.`,
    fault: 'caller',
  }),
  VID_EDIT_REFUSED: (f: { what: string; reason: string; advice: string }) => ({
    message: `${f.what} cannot be done: ${f.reason}.`,
    hint: f.advice,
    fault: 'caller',
  }),
  VID_EDIT_CONTRADICTION: (f: { operations: readonly number[]; reason: string }) => ({
    message: `Operation ${[...f.operations].sort((a, b) => a - b).join(' and ')} cannot be made in one edit: ${f.reason}.`,
    hint: 'Leave one of them out, or make one edit after the other.',
    fault: 'caller',
  }),
  VID_EDIT_BOUND: (f: { element: string; variable: string; place: string }) => ({
    message: `${f.element} shows the variable "${f.variable}", which ${f.place} sets.`,
    hint: 'Change the value there.',
    fault: 'caller',
  }),
  VID_EDIT_MALFORMED: (f: { element: string; file: string; line: number }) => ({
    message: `The source around ${f.element} (${f.file}:${f.line}) is not well formed, so a change would alter other elements.`,
    hint: 'Close the elements around it in the source, and try again.',
    fault: 'caller',
  }),
  VID_EDIT_INVALID: (f: { findings: string }) => ({
    message: `The edit would break the composition: ${f.findings}.`,
    hint: 'Choose another value, or change both places in one edit; vid lint shows what is wrong now.',
    fault: 'caller',
  }),
  VID_EDIT_CONFLICT: (f: { file: string; line: number; reason: string }) => ({
    message: `${f.file}:${f.line} was changed by another program: ${f.reason}.`,
    hint: 'Drop the edit and make it again on the new text.',
    fault: 'caller',
  }),
  VID_EDIT_PATH: (f: { path: string; reason: string }) => ({
    message: `The path "${f.path}" ${f.reason}.`,
    hint: 'Edits write regular files of the project only.',
    fault: 'caller',
  }),
  VID_EDIT_ENCODING: (f: { file: string }) => ({
    message: `${f.file} is not valid UTF-8.`,
    hint: 'Save it as UTF-8; other encodings would be damaged by an edit.',
    fault: 'caller',
  }),
  VID_EDIT_BUSY: (f: { holder: string }) => ({
    message: `Another edit of this project is being written by ${f.holder}.`,
    hint: 'Try again when it is done.',
    fault: 'caller',
  }),
  VID_EDIT_NOTHING: (f: { what: string }) => ({
    message: `There is nothing to ${f.what}.`,
    hint: 'Run vid edit log to see the edits of this project.',
    fault: 'caller',
  }),
  VID_EDIT_STAGED: (f: { what: string; steps: number }) => ({
    message: `${f.what} waits: ${f.steps} staged ${f.steps === 1 ? 'edit is' : 'edits are'} not written.`,
    hint: 'Write or discard them first.',
    fault: 'caller',
  }),
  VID_EDIT_FILE: (f: { path: string; reason: string }) => ({
    message: `${f.path} holds no operations: ${f.reason}.`,
    hint: 'Give a JSON file with an array of operations, as docs/edit.md describes them.',
    fault: 'caller',
  }),
  VID_EDIT_HISTORY: (f: { id: number; file: string }) => ({
    message: `The history no longer has the content of ${f.file} for edit ${f.id}.`,
    hint: 'Older edits are dropped when the history is full; use your version control.',
    fault: 'caller',
  }),
  VID_EDIT_PREVIEW: (f: { port: number; cause: unknown }) => ({
    message: `The open preview of this project does not answer on port ${f.port}: ${describeCause(f.cause)}.`,
    hint: 'Look whether vid preview still runs, and end it, or try again.',
    fault: 'machine',
  }),
  VID_COMMENT_UNKNOWN: (f: { id: number; known: readonly number[] }) => ({
    message: `There is no comment ${f.id}.`,
    hint: f.known.length > 0 ? `Comments: ${listed(f.known.map(String))}.` : 'The project has no comments.',
    fault: 'caller',
  }),
  VID_COMMENT_FILE: (f: { file: string }) => ({
    message: `${f.file} holds no comments that can be read.`,
    hint: 'Correct the file, or move it away: comments are not written over it.',
    fault: 'caller',
  }),
  VID_COMMENT_FULL: (f: { what: string; most: number }) => ({
    message: `There are ${f.most} ${f.what} already, and no room for more.`,
    hint: 'Remove comments that are done, in vid preview.',
    fault: 'caller',
  }),
  VID_COMMENT_VALUE: (f: { problem: string }) => ({
    message: `The comment cannot be taken: ${f.problem}.`,
    hint: 'Give a text of at most 2000 characters, the number of a comment, and times such as 2s.',
    fault: 'caller',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(editErrors)
