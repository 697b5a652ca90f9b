import { defineErrors, type ErrorTable, refusedPath, SHAPES_RULE } from '@vid/protocol'

/** Location of an element: its shortened start tag, its file and its 1-based line. */
export interface ElementPlace {
  readonly element: string
  readonly file: string
  readonly line: number
}

const locationOf = (place: ElementPlace) => `${place.element} (${place.file}:${place.line})`
const quoted = (value: string | null) => (value === null ? 'nothing' : `"${value}"`)

const listed = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

interface MissingEntry {
  readonly dir: string
  readonly entry: string
  /** HTML files of the folder. */
  readonly others: readonly string[]
  /** Folders in it that have such an entry file. */
  readonly folders: readonly string[]
}

/** Every error of this package: code → message and hint built from facts. */
export const coreErrors = {
  VID_PROJECT_MISSING: (facts: { dir: string; found: 'nothing' | 'a file' }) => ({
    message: `The project folder "${facts.dir}" ${facts.found === 'nothing' ? 'does not exist' : 'is a file, not a folder'}.`,
    hint:
      facts.found === 'nothing'
        ? 'Pass the folder that contains the composition.'
        : 'Pass the folder of that file, and name the file with --composition.',
    fault: 'caller',
  }),
  VID_ENTRY_MISSING: ({ dir, entry, others, folders }: MissingEntry) => ({
    message: `There is no file "${entry}" in "${dir}".`,
    hint:
      others.length > 0
        ? `The folder contains ${listed(others)}: choose one with --composition.`
        : folders.length > 0
          ? `Pass the folder that contains the composition; here, one is in ${listed(folders)}.`
          : 'Pass the folder that contains the composition, or make one with "vid init <name>".',
    fault: 'caller',
  }),
  VID_ENTRY_OUTSIDE: (facts: { dir: string; entry: string }) => ({
    message: `The entry file "${facts.entry}" is outside the project folder "${facts.dir}".`,
    hint: 'Pass a path relative to the project folder; symbolic links that leave it are not followed.',
    fault: 'caller',
  }),
  VID_ENTRY_HIDDEN: (facts: { entry: string }) => ({
    message: `The entry file "${facts.entry}" is hidden or in a hidden folder of the project.`,
    hint: 'Hidden files of a project are never read or served: move the file, or pass a folder inside the hidden one.',
    fault: 'caller',
  }),
  VID_ENTRY_NAME: (facts: { entry: string }) => ({
    message: `The entry file ${JSON.stringify(facts.entry)} has a backslash in its path, which separates folders on some machines only.`,
    hint: 'Rename it.',
    fault: 'caller',
  }),
  VID_ENTRY_UNREADABLE: (facts: { entry: string; reason: string }) => ({
    message: `The entry file "${facts.entry}" cannot be read: ${facts.reason}.`,
    hint: 'Check that it is a regular file and that you have permission to read it.',
    fault: 'render',
  }),
  VID_ENTRY_TOO_LARGE: (facts: { entry: string; bytes: number; maxBytes: number }) => ({
    message: `The entry file "${facts.entry}" has ${facts.bytes} bytes; the limit is ${facts.maxBytes}.`,
    hint: 'Move embedded media into separate files and refer to them.',
    fault: 'render',
  }),
  VID_ENTRY_EMPTY: (facts: { entry: string }) => ({
    message: `The entry file "${facts.entry}" is empty.`,
    hint: 'Write a composition into it: an element with data-composition-id, data-width and data-height.',
    fault: 'render',
  }),
  VID_ENTRY_NOT_HTML: (facts: { entry: string }) => ({
    message: `The entry file "${facts.entry}" is not HTML text.`,
    hint: 'Pass an HTML file that is saved as UTF-8.',
    fault: 'render',
  }),
  VID_HTML_DEEP: (facts: { element: string; line: number; levels: number }) => ({
    message: `The ${facts.element} in line ${facts.line} is nested more than ${facts.levels} elements deep.`,
    hint: 'Close the elements before it; browsers show no more than 512 levels.',
    fault: 'render',
  }),
  VID_HTML_ATTRIBUTE_LONG: (facts: {
    element: string
    line: number
    attribute: string
    length: number
    max: number
  }) => ({
    message: `The ${facts.element} in line ${facts.line} has ${facts.length} characters in ${facts.attribute}; the limit is ${facts.max}.`,
    hint: 'Write it shorter, or move what is long into a file of the project.',
    fault: 'render',
  }),
  VID_TEXT_TOO_LARGE: (facts: { file: string; bytes: number; maxBytes: number }) => ({
    message: `The file "${facts.file}" has ${facts.bytes} bytes; a text that is read as a part of a composition has at most ${facts.maxBytes}.`,
    hint: 'Move embedded media into separate files and refer to them.',
    fault: 'render',
  }),
  VID_COMPOSITION_TOO_LARGE: (facts: { file: string; characters: number; max: number }) => ({
    message: `${facts.file} has ${facts.characters} characters with the files that it embeds; the limit is ${facts.max}.`,
    hint: 'Embed fewer or smaller files.',
    fault: 'render',
  }),
  VID_COMPOSITION_NO_ROOT: (facts: { file: string }) => ({
    message: `${facts.file} has no composition root.`,
    hint: 'Put data-composition-id="main" on the element that holds the composition, with data-width, data-height and data-duration: its size in pixels and its length in seconds.',
    fault: 'render',
  }),
  VID_COMPOSITION_ROOT_UNSEEN: (facts: ElementPlace & { reason: string }) => ({
    message: `Nothing of the composition root ${locationOf(facts)} can be seen in any frame: ${facts.reason}.`,
    hint: 'Put data-composition-id, data-width and data-height on the element of the <body> that holds the visible content, or change what hides it.',
    fault: 'render',
  }),
  VID_COMPOSITION_NO_SIZE: (facts: ElementPlace & { attribute: string; value: string | null; max: number }) => ({
    message: `The composition root ${locationOf(facts)} has ${quoted(facts.value)} as ${facts.attribute}; a whole number of pixels from 1 to ${facts.max} is needed.`,
    hint: `Write ${facts.attribute}="${facts.attribute === 'data-width' ? 1920 : 1080}" on it; the size is read before scripts run.`,
    fault: 'render',
  }),
  VID_SHAPES_DECLARED: (facts: ElementPlace & { value: string }) => ({
    message: `The composition root ${locationOf(facts)} has "${facts.value}" as data-shapes; ${SHAPES_RULE} are needed.`,
    hint: 'Write data-shapes="16:9,9:16,1:1" on it, or leave the attribute out to take any shape.',
    fault: 'render',
  }),
  VID_SHAPE_UNDECLARED: (facts: ElementPlace & { shape: string; shapes: readonly string[] }) => ({
    message: `The composition root ${locationOf(facts)} has no shape ${facts.shape}; it declares ${facts.shapes.join(', ')}.`,
    hint: `Render one of these, or add ${facts.shape} to its data-shapes and the styles for it.`,
    fault: 'caller',
  }),
  VID_SHAPE_UNFIT: (facts: ElementPlace & { shape: string; width: number; height: number }) => ({
    message: `The composition root ${locationOf(facts)} cannot be laid out as ${facts.shape}, which is ${facts.width}x${facts.height}.`,
    hint: 'Choose a shape of fewer pixels, and write data-width and data-height once on the element itself.',
    fault: 'caller',
  }),
  VID_SHAPES_APART: (facts: { shapes: string }) => ({
    message: `One plan has one shape; ${facts.shapes} were requested.`,
    hint: 'Plan each shape by itself.',
    fault: 'caller',
  }),
  VID_COMPOSITION_BAD_DURATION: (facts: ElementPlace & { value: string }) => ({
    message: `The composition ${locationOf(facts)} lasts ${facts.value}; a finite number of seconds above 0 is needed.`,
    hint: 'Write data-duration="10" on the composition root.',
    fault: 'render',
  }),
  VID_COMPOSITION_TOO_LONG: (facts: ElementPlace & { value: string; frames: number; maxFrames: number }) => ({
    message: `The composition ${locationOf(facts)} lasts ${facts.value}, which is ${facts.frames} frames; at most ${facts.maxFrames} are rendered, 24 hours at 60 fps.`,
    hint: 'Shorten data-duration or the timeline, lower --fps, or split the composition.',
    fault: 'render',
  }),
  VID_COMPOSITION_BAD_START: (
    facts: ElementPlace & { value: string; reason: 'cycle' | 'unknown'; known: readonly string[] },
  ) => ({
    message:
      facts.reason === 'cycle'
        ? `The data-start="${facts.value}" of ${locationOf(facts)} depends on itself.`
        : `The data-start="${facts.value}" of ${locationOf(facts)} names no timed element of its composition.`,
    hint:
      facts.reason === 'cycle'
        ? 'Give one element of the cycle a start in seconds.'
        : `Write seconds, or the id of a timed element${facts.known.length > 0 ? `, such as ${facts.known.join(', ')}` : ''}, optionally with "+ n" or "- n".`,
    fault: 'render',
  }),
  VID_NESTED_MISSING: (facts: ElementPlace & { src: string; tried: readonly string[] }) => ({
    message: `The data-composition-src="${facts.src}" of ${locationOf(facts)} names no readable file of the project.`,
    hint:
      facts.tried.length > 0
        ? `Looked for ${facts.tried.map((name) => `"${name}"`).join(' and ')}; write a path relative to the project folder or to this file${facts.tried.some(refusedPath) ? ': hidden files are not read' : ''}.`
        : 'Write the path of an HTML file of this project.',
    fault: 'render',
  }),
  VID_NESTED_EMPTY: (facts: ElementPlace & { src: string }) => ({
    message: `The data-composition-src="${facts.src}" of ${locationOf(facts)} names a file without content.`,
    hint: 'Put the composition into its <template>, or into its <body>.',
    fault: 'render',
  }),
  VID_NESTED_CYCLE: (facts: ElementPlace & { chain: readonly string[] }) => ({
    message: `${locationOf(facts)} embeds a composition in itself: ${facts.chain.join(' → ')}.`,
    hint: 'Remove one data-composition-src of the cycle.',
    fault: 'render',
  }),
  VID_NESTED_TOO_DEEP: (facts: ElementPlace & { max: number; chain: readonly string[] }) => ({
    message: `${locationOf(facts)} is nested more than ${facts.max} compositions deep: ${facts.chain.join(' → ')}.`,
    hint: 'Embed some of them side by side instead.',
    fault: 'render',
  }),
  VID_NESTED_TOO_MANY: (facts: ElementPlace & { max: number }) => ({
    message: `The composition has more than ${facts.max} embedded compositions; ${locationOf(facts)} exceeds the limit.`,
    hint: 'Embed fewer compositions; each level of nesting multiplies their number.',
    fault: 'render',
  }),
  VID_NESTED_BAD_CSS: (facts: { file: string; line: number; reason: string }) => ({
    message: `The styles of an embedded composition (${facts.file}:${facts.line}) cannot be parsed: ${facts.reason}.`,
    hint: 'Correct the style sheet.',
    fault: 'render',
  }),
  VID_VARIABLES_STRICT: (facts: { issues: readonly string[] }) => ({
    message: `${facts.issues.length === 1 ? 'A variable does' : `${facts.issues.length} variables do`} not fit the composition: ${facts.issues.join(' ')}`,
    hint: 'Correct the values, declare them in data-composition-variables, or omit --strict-variables.',
    fault: 'render',
  }),
} satisfies ErrorTable

/** Makes an error of this package. */
export const fail = defineErrors(coreErrors)
